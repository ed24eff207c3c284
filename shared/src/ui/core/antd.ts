/**
 * antd's part of the first paint. Each import is one component's own module, so nothing else of antd comes along.
 * Not here on purpose: Menu (behind Dropdown, fetched when idle), Layout, Card, Row/Col (CSS grid), Progress, Skeleton, Tag, Avatar: our small pieces do what is needed.
 */
export { default as Badge } from 'antd/es/badge';
export { default as Button } from 'antd/es/button';
export type { MenuProps } from 'antd/es/menu';
export { default as Segmented } from 'antd/es/segmented';
export { default as Tooltip } from 'antd/es/tooltip';
