/** What the user may change of the colours, and what follows from it. */
import { brandShades } from './brand';
import { PALETTES, type Palette, type PaletteName } from './palette';

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

const LOOK_VARIABLES = {
  '--line': 'line',
  '--brand': 'brand',
  '--brand-fill': 'brandFill',
  '--brand-fill-hover': 'brandFillHover',
  '--brand-fill-active': 'brandFillActive',
} as const;

/** The CSS variables of variables.css that the user's look changes. */
export function lookVariables(name: PaletteName, look: Look): Record<string, string> {
  const palette = paletteOf(name, look);
  return Object.fromEntries(
    Object.entries(LOOK_VARIABLES).flatMap(([variable, colour]) =>
      palette[colour] === PALETTES[name][colour] ? [] : [[variable, palette[colour]]],
    ),
  );
}
