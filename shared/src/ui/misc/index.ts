/** Rarely used, large parts. Loaded on demand. */
export { default as Collapse } from 'antd/es/collapse';
export { default as Steps } from 'antd/es/steps';
export { QrCode } from './qr-code';
export { ShareButton } from './share-button';
