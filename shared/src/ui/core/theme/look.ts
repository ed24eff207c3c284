/** What the user may change of the colours, and what follows from it. */
import { brandShades } from './brand';
import { PALETTES, variableOf, type Palette, type PaletteName } from './palette';

/** What the user may change of the look. `themeColor`: `#rrggbb`; absent: the pool's red. */
export type Look = { themeColor?: string; skin?: 'default' | 'bordered' };

/** Colours of a mode in the user's look: bordered panels have stronger lines. */
export function paletteOf(name: PaletteName, { themeColor, skin }: Look): Palette {
  const palette = PALETTES[name];
  return {
    ...palette,
    ...(skin === 'bordered' && { line: palette.line2 }),
    ...(themeColor && themeColor !== PALETTES.dark.brand.toLowerCase() && brandShades(themeColor, palette.surface)),
  };
}

const LOOK_COLOURS = ['line', 'brand', 'brandFill', 'brandFillHover', 'brandFillActive'] as const;

/** The CSS variables that the user's look changes. */
export function lookVariables(name: PaletteName, look: Look): Record<string, string> {
  const palette = paletteOf(name, look);
  const changed = LOOK_COLOURS.filter((colour) => palette[colour] !== PALETTES[name][colour]);
  return Object.fromEntries(changed.map((colour) => [variableOf(colour), palette[colour]]));
}
