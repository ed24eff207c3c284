/** Tables and what stands around them. A lazy part: import it only from code that is itself loaded on demand. */
export { default as Descriptions } from 'antd/es/descriptions';
export { default as Pagination } from 'antd/es/pagination';
export { default as Tabs } from 'antd/es/tabs';
export type { TabsProps } from 'antd/es/tabs';
export { DataTable, type DataColumn, type DataTableProps, type Sort } from './data-table';
