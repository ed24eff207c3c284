/** Colours of the dark and of the light mode: CSS, antd and Clerk's forms take them from here. */
const COLOURS = {
  /** Opacity of a chart's area below its line. */
  areaTop: ['.2', '.14'],
  bg: ['#0C0D10', '#F5F6F8'],
  surface: ['#14161A', '#FFFFFF'],
  raised: ['#1C1F25', '#FFFFFF'],
  field: ['#101216', '#FFFFFF'],
  line: ['#23272E', '#E6E9ED'],
  line2: ['#363C46', '#CDD2D9'],
  line3: ['#4A515D', '#A9B0BA'],
  hover: ['rgba(255,255,255,.045)', 'rgba(20,23,28,.035)'],
  press: ['rgba(255,255,255,.08)', 'rgba(20,23,28,.07)'],
  raisedHover: ['#23272E', '#FAFBFC'],
  ink: ['#ECEEF2', '#14171C'],
  ink2: ['#A4ABB8', '#4D5562'],
  ink3: ['#868D9A', '#677080'],
  disabled: ['#5A606C', '#A3A9B3'],
  brand: ['#ED4540', '#ED4540'],
  brandFill: ['#D6342F', '#D6342F'],
  brandFillHover: ['#D93A35', '#C92D28'],
  brandFillActive: ['#BD2A25', '#AE2520'],
  blue: ['#6CB2FF', '#1B6AD6'],
  orange: ['#F39A4A', '#B4540A'],
  ok: ['#3CCBA4', '#0B7A5E'],
  warn: ['#F5B84A', '#8F5600'],
  bad: ['#FF7D8A', '#BE2747'],
  idle: ['#8F96A3', '#677080'],
  okG: ['#3CCBA4', '#0E9B76'],
  warnG: ['#F5B84A', '#BF7A00'],
  badG: ['#FF7D8A', '#D8355A'],
  on: ['#3272C4', '#1B6AD6'],
  box: ['#666C78', '#8A92A0'],
  off: ['#4A515D', '#8A92A0'],
  offHover: ['#5A606C', '#677080'],
  nav: ['#0C0D10', '#FFFFFF'],
  track: ['#0F1114', '#EBEDF1'],
  thumb: ['#262A32', '#FFFFFF'],
  meter: ['#262B33', '#E6E9ED'],
  tooltip: ['#2A2E36', '#14171C'],
  row: ['#191C21', '#FAFBFC'],
  rowSelected: ['#1B2029', '#F0F5FC'],
  focusRing: ['rgba(108,178,255,.22)', 'rgba(27,106,214,.16)'],
  shadow: [
    '0 1px 0 rgba(255,255,255,.03) inset, 0 16px 40px rgba(0,0,0,.5)',
    '0 1px 2px rgba(20,23,28,.06), 0 16px 40px rgba(20,23,28,.14)',
  ],
} as const satisfies Record<string, readonly [dark: string, light: string]>;

export type PaletteName = 'dark' | 'light';
export type Palette = Record<keyof typeof COLOURS, string>;
const paletteAt = (place: 0 | 1) =>
  Object.fromEntries(Object.entries(COLOURS).map(([name, modes]) => [name, modes[place]])) as Palette;
export const PALETTES: Record<PaletteName, Palette> = { dark: paletteAt(0), light: paletteAt(1) };

/** The one font stack: styles, antd and charts on a canvas use it. */
export const FONT_FAMILY =
  'Inter, "Inter Fallback", "IBM Plex Sans Arabic", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** `brandFill`: `--brand-fill`. */
export const variableOf = (colour: string): string =>
  `--${colour.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
