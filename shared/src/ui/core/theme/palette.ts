/** The product's colours per mode; `variables.css` says the same for our own CSS (a test compares them). */
export type PaletteName = 'dark' | 'light';

const dark = {
  bg: '#0C0D10', surface: '#14161A', raised: '#1C1F25', field: '#101216',
  line: '#23272E', line2: '#363C46', line3: '#4A515D',
  hover: 'rgba(255,255,255,.045)', press: 'rgba(255,255,255,.08)', raisedHover: '#23272E',
  ink: '#ECEEF2', ink2: '#A4ABB8', ink3: '#868D9A', disabled: '#5A606C',
  brand: '#ED4540', brandFill: '#D6342F', brandFillHover: '#D93A35', brandFillActive: '#BD2A25', brandText: '#FF8079',
  blue: '#6CB2FF', violet: '#B8A1FF', orange: '#F39A4A',
  ok: '#3CCBA4', warn: '#F5B84A', bad: '#FF7D8A', idle: '#8F96A3',
  okG: '#3CCBA4', warnG: '#F5B84A', badG: '#FF7D8A',
  on: '#3272C4', onActive: '#6CB2FF', box: '#666C78', off: '#4A515D', offHover: '#5A606C',
  nav: '#0C0D10', track: '#0F1114', thumb: '#262A32', meter: '#262B33', tooltip: '#2A2E36',
  row: '#191C21', rowSelected: '#1B2029', rowSelectedHover: '#1F2530',
  focusRing: 'rgba(108,178,255,.22)',
  shadow: '0 1px 0 rgba(255,255,255,.03) inset, 0 16px 40px rgba(0,0,0,.5)',
};

const light: typeof dark = {
  bg: '#F5F6F8', surface: '#FFFFFF', raised: '#FFFFFF', field: '#FFFFFF',
  line: '#E6E9ED', line2: '#CDD2D9', line3: '#A9B0BA',
  hover: 'rgba(20,23,28,.035)', press: 'rgba(20,23,28,.07)', raisedHover: '#FAFBFC',
  ink: '#14171C', ink2: '#4D5562', ink3: '#677080', disabled: '#A3A9B3',
  brand: '#ED4540', brandFill: '#D6342F', brandFillHover: '#C92D28', brandFillActive: '#AE2520', brandText: '#C22A25',
  blue: '#1B6AD6', violet: '#6D4BD8', orange: '#B4540A',
  ok: '#0B7A5E', warn: '#8F5600', bad: '#BE2747', idle: '#677080',
  okG: '#0E9B76', warnG: '#BF7A00', badG: '#D8355A',
  on: '#1B6AD6', onActive: '#1B6AD6', box: '#8A92A0', off: '#8A92A0', offHover: '#677080',
  nav: '#FFFFFF', track: '#EBEDF1', thumb: '#FFFFFF', meter: '#E6E9ED', tooltip: '#14171C',
  row: '#FAFBFC', rowSelected: '#F0F5FC', rowSelectedHover: '#E8F0FB',
  focusRing: 'rgba(27,106,214,.16)',
  shadow: '0 1px 2px rgba(20,23,28,.06), 0 16px 40px rgba(20,23,28,.14)',
};

export type Palette = typeof dark;
export const PALETTES: Record<PaletteName, Palette> = { dark, light };
