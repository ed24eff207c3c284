/** The user's primary colour: shades of it that text on them, and beside them, can be read with (WCAG 2). */

const channels = (colour: string): number[] => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
const luminance = (colour: string): number =>
  channels(colour)
    .map((channel) => channel / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0);

/** Contrast of two colours, `#rrggbb`: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** `part` (0 to 1) of the way from `colour` to `to`. */
const mix = (colour: string, to: string, part: number): string => {
  const target = channels(to);
  return `#${channels(colour)
    .map((channel, index) =>
      Math.round(channel + ((target[index] ?? 0) - channel) * part)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
};

const WHITE = '#ffffff';
const BLACK = '#000000';
export const TEXT_CONTRAST = 4.5;
const GRAPHIC_CONTRAST = 3;

/** The shade nearest to `colour` that has `least` contrast with `ground`, towards `to`. */
function shadeFor(colour: string, ground: string, least: number, to: string): string {
  for (let part = 0; part < 1; part += 0.04) {
    const shade = mix(colour, to, part);
    if (contrast(shade, ground) >= least) return shade;
  }
  return to;
}

type BrandShades = { brand: string; brandFill: string; brandFillHover: string; brandFillActive: string };

/** Under white text the fills are dark enough; bars and marks stand out from `surface`. */
export function brandShades(colour: string, surface: string): BrandShades {
  const fill = shadeFor(colour, WHITE, TEXT_CONTRAST, BLACK);
  const away = luminance(surface) > 0.18 ? BLACK : WHITE;
  return {
    brand: shadeFor(colour, surface, GRAPHIC_CONTRAST, away),
    brandFill: fill,
    brandFillHover: mix(fill, BLACK, 0.06),
    brandFillActive: mix(fill, BLACK, 0.16),
  };
}
