/** Dialogs and drawers. Loaded on demand. For confirmations use `App.useApp().modal` of ui/core. */
export { default as Drawer } from 'antd/es/drawer';
export type { DrawerProps } from 'antd/es/drawer';
export { default as Modal } from 'antd/es/modal';
export type { ModalProps } from 'antd/es/modal';
export { default as Popconfirm } from 'antd/es/popconfirm';
export { default as Popover } from 'antd/es/popover';
