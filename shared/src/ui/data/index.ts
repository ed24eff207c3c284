/** Rarely needed antd components, and the table. Loaded on demand: import it only from lazily loaded code. */
import AntDescriptions from 'antd/es/descriptions';
import AntPagination from 'antd/es/pagination';
import AntTabs from 'antd/es/tabs';
import { themed } from '../antd/themed';

export const Descriptions: typeof AntDescriptions = themed(AntDescriptions);
export const Pagination: typeof AntPagination = themed(AntPagination);
export const Tabs: typeof AntTabs = themed(AntTabs);
export type { TabsProps } from 'antd/es/tabs';
export * from '../table';
