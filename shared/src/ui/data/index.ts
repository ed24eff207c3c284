/** Rarely needed antd components, and the table. Loaded on demand: import it only from lazily loaded code. */
export { default as Descriptions } from 'antd/es/descriptions';
export { default as Pagination } from 'antd/es/pagination';
export { default as Tabs } from 'antd/es/tabs';
export type { TabsProps } from 'antd/es/tabs';
export * from '../table';
