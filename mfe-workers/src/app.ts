import { defineRemote } from '@pool/shared/remote';
import { AppRoutes } from './routes';

/** The workers, as the shell mounts them. */
const app = defineRemote(AppRoutes);
export const { contract, bootstrap, mount, update, unmount } = app;
