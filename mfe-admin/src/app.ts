import { defineRemote } from '@pool/shared/remote';
import { AdminRoutes } from './routes';

export const { contract, bootstrap, mount, update, unmount } = defineRemote(AdminRoutes);
