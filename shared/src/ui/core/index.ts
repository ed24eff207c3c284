/** The first paint's part of the UI: one instance for the shell and all remotes. Keep heavy things out of it. */
export * from './antd';
export * from './icons';
export { App, type AppApi, type ConfirmOptions } from './app';
export { Dropdown, type DropdownProps } from './dropdown';
export { whenIdle } from './idle';
export {
  NavTheme,
  ThemeProvider,
  paintedBy,
  useDocumentMode,
  usePainted,
  usePalette,
  type Mode,
  type ThemeProviderProps,
} from './theme/provider';
export { PALETTES, type Palette, type PaletteName } from './theme/palette';
export { useMediaQuery, useNarrow } from './use-media-query';
export { FormatProvider, useFormat } from './format/context';
export { localeOf, numberFormat } from './format/intl';
export { DASH, formatCount, formatPercent, formatUsd } from './format/numbers';
export {
  dateOf,
  formatAgo,
  formatClock,
  formatDay,
  formatDuration,
  formatMoment,
  formatMonth,
  zoneName,
  type Instant,
  type TimeZone,
} from './format/time';
export { copyText } from './copy-text';
export { downloadBlob, downloadCsv, toCsv, type CsvValue } from './csv';
export { useNow } from './use-now';
export { CopyButton, CopyField, type CopyFieldProps } from './pieces/copy-field';
export { Facts, Figure, type FigureProps } from './pieces/figure';
export { Hint } from './pieces/hint';
export { Btc, Hashrate, Measuring, Percent, Quantity, Usd } from './pieces/number';
export { PageHeader } from './pieces/page-header';
export { Panel, Strip, type PanelProps } from './pieces/panel';
export { PayoutSentence } from './pieces/payout-sentence';
export { Meter, Segments } from './pieces/segments';
export { Chip, Kbd, Notice, VisuallyHidden } from './pieces/small';
export { Sparkline } from './pieces/sparkline';
export { StateGlyph, StateMark, type StateName } from './pieces/state-mark';
export { Denied, Empty, ErrorPanel, Loading, QueryError, Skeleton, SkeletonRows, useErrorText } from './pieces/states';
export { TimeAgo } from './pieces/time-ago';
export { BarChart, SmallBars, type Bar } from './chart/bar-chart';
export { chartPng, downloadChartPng } from './chart/chart-png';
export { lossOf, totalLoss } from './chart/model';
export { areaPath, linePath } from './chart/shape';
export { SeriesChart, type SeriesChartProps } from './chart/series-chart';
