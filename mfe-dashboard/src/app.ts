import { defineRemote } from '@pool/shared/remote';
import { AppRoutes } from './routes';

/** The dashboard, as the shell mounts it. */
const app = defineRemote(AppRoutes);
export const { contract, bootstrap, mount, update, unmount } = app;
