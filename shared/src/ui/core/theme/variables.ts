import { FONT_FAMILY, PALETTES, variableOf, type PaletteName } from './palette';

const rule = (mode: PaletteName, selector: string): string =>
  `${selector}{color-scheme:${mode};${Object.entries(PALETTES[mode])
    .map(([colour, value]) => `${variableOf(colour)}:${value};`)
    .join('')}}`;
/**
 * The palette as CSS variables, in the head of each page (scripts/build/pages.ts). `<html data-mode>` is "dark" or
 * "light"; a region with its own data-mode switches inside it, and the skeleton's navigation by `<html data-nav>`.
 */
export const PALETTE_STYLES = `${rule('dark', ":root,[data-mode='dark'],[data-nav='dark'] :is(.sk-brand,.sk-nav)")}
${rule('light', "[data-mode='light']")}
:root{--font:${FONT_FAMILY}}`;
