/**
 * The parts of antd in the first paint. Each import is the module of one component, so that nothing else of antd is
 * bundled. Intentionally absent: Menu (part of Dropdown, loaded when idle), and Layout, Card, Row/Col (CSS grid),
 * Progress, Skeleton, Tag, Avatar, which our own small components replace.
 */
export { default as Badge } from 'antd/es/badge';
export { default as Button } from 'antd/es/button';
export type { MenuProps } from 'antd/es/menu';
export { default as Segmented } from 'antd/es/segmented';
export { default as Tooltip } from 'antd/es/tooltip';
