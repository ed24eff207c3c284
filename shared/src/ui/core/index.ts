/** UI parts of the first paint: one instance for the shell and all remotes. Keep large dependencies out. */
export { Badge } from './controls/badge';
export { Button } from './controls/button';
export { canShare, ShareButton } from './controls/share-button';
export { Dropdown, type MenuProps } from './controls/dropdown';
export { usePopup } from './controls/popup';
export { Segmented } from './controls/segmented';
export { Tooltip } from './controls/tooltip';
export * from './icons';
export { useConfirm, useToasts } from './toasts';
export { whenIdle } from './idle';
export { brandShades, contrast, TEXT_CONTRAST } from './theme/brand';
export { NavTheme, ThemeProvider, useDocumentMode } from './theme/provider';
export { PHONE, useMediaQuery, useNarrow, usePhone } from './use-media-query';
export { FormatProvider, useFormat } from './format/context';
export { DASH } from './format/numbers';
export { formatDay, formatDayClock, formatDays, formatMonth } from './format/time';
export { useErrorCode, useErrorText } from './error-text';
export {
  csvTable,
  downloadBlob,
  downloadCsv,
  EXPORTED,
  shortRate,
  toCsv,
  wholeHs,
  type CsvColumns,
  type CsvValue,
} from './csv';
export { useNow } from './use-now';
export { AccountRates, AccountWorkers, AllAccounts, Disconnected, RunningWorkers } from './pieces/account-figures';
export { ChooseAccount } from './pieces/choose-account';
export { CopyButton, CopyField } from './pieces/copy-field';
export { Dot, Dotted } from './pieces/dotted';
export { Facts, Figure } from './pieces/figure';
export { Hint } from './pieces/hint';
export { Btc, Hashrate, Measuring, Percent, Quantity, Usd } from './pieces/number';
export { PageHeader } from './pieces/page-header';
export { Panel, Strip } from './pieces/panel';
export { PoolName } from './pieces/pool-name';
export { QrCode } from './pieces/qr-code';
export { PayoutSentence } from './pieces/payout-sentence';
export { Meter, Segments } from './pieces/segments';
export { Chip } from './pieces/chip';
export { Notice } from './pieces/notice';
export { VisuallyHidden } from './pieces/visually-hidden';
export { Sparkline } from './pieces/sparkline';
export { StateGlyph, StateMark, type StateName } from './pieces/state-mark';
export {
  Denied,
  Empty,
  ErrorPanel,
  Loading,
  Message,
  QueryError,
  QueryState,
  Skeleton,
  SkeletonRows,
} from './pieces/states';
export { PoolAway, useMinedSince } from './pieces/mined-since';
export { TimeAgo } from './pieces/time-ago';
export { WidgetBoundary } from './pieces/widget-boundary';
export { SmallBars, type Bar } from './chart/small-bars';
export { downloadChartPng } from './chart/download-png';
export { areaPath, linePath } from './chart/shape';
export { SeriesChart } from './chart/series-chart';
