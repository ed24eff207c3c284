/** Tables. Loaded on demand: import it only from lazily loaded code. */
export { default as Descriptions } from 'antd/es/descriptions';
export { default as Pagination } from 'antd/es/pagination';
export { default as Tabs } from 'antd/es/tabs';
export type { TabsProps } from 'antd/es/tabs';
export { DataTable, type DataColumn, type DataTableProps, type Sort } from './data-table';
