/** Dialogs and drawers. Loaded on demand. For confirmations use `useConfirm` of ui/core. */
import AntDrawer from 'antd/es/drawer';
import { themed } from '../antd/themed';

export const Drawer: typeof AntDrawer = themed(AntDrawer);
export { Modal } from './modal';
export { FormDialog } from './form-dialog';
