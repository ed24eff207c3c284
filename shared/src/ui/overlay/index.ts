/** Dialogs and drawers. Loaded on demand. For confirmations use `useConfirm` of ui/core. */
export { Drawer } from './drawer';
export { Modal } from './modal';
export { FormDialog } from './form-dialog';
