/** The first paint's part of the UI: one instance for the shell and all remotes. Keep heavy things out of it. */
export * from './antd';
export * from './icons';
export { App, type AppApi, type ConfirmOptions } from './app';
export { NavTheme, ThemeProvider, paintedBy, useDocumentMode, usePainted, usePalette, type Mode, type ThemeProviderProps } from './theme/provider';
export { PALETTES, type Palette, type PaletteName } from './theme/palette';
export { useMediaQuery, useNarrow } from './use-media-query';
export { FormatProvider, useFormat } from './format/context';
export { localeOf, numberFormat } from './format/intl';
export { DASH, formatCount, formatPercent, formatUsd } from './format/numbers';
export {
  dateOf, formatAgo, formatClock, formatDay, formatDuration, formatMoment, formatMonth, zoneName, type Instant, type TimeZone,
} from './format/time';
