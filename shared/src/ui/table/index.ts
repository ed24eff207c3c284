/** Tables and lists. A lazy part: import it only from code that is itself loaded on demand. */
export { ActionBar } from './action-bar';
export { Check } from './check';
export { AMOUNT, idOf, type DataColumn, type Sort } from './columns';
export { DataTable } from './data-table';
export type { DataTableProps } from './props';
export { Newest } from './newest';
export { PagedRows, useRows, type Paged } from './paged-rows';
export { QueryTable } from './query-table';
export { ShortenedText } from './shortened-text';
export { PlainTable } from './plain-table';
export { useCsvExport } from './use-csv-export';
export { type TableHandle } from './use-visible-rows';
export { useWidth } from '../core/measure';
