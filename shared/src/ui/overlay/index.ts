/** Dialogs and drawers. Loaded on demand. For confirmations use `App.useApp().modal` of ui/core. */
import AntDrawer from 'antd/es/drawer';
import AntPopconfirm from 'antd/es/popconfirm';
import AntPopover from 'antd/es/popover';
import { themed } from '../antd/themed';

export const Drawer: typeof AntDrawer = themed(AntDrawer);
export { Modal } from './modal';
export const Popconfirm: typeof AntPopconfirm = themed(AntPopconfirm);
export const Popover: typeof AntPopover = themed(AntPopover);
export { FormDialog } from './form-dialog';
export type { DrawerProps } from 'antd/es/drawer';
export type { ModalProps } from 'antd/es/modal';
