/** Seldom needed and not small. A lazy part. */
export { default as Collapse } from 'antd/es/collapse';
export { default as Steps } from 'antd/es/steps';
export { QrCode } from './qr-code';
