import { defineRemote } from '@pool/shared/remote';
import { PaymentsRoutes } from './routes';

export const { contract, bootstrap, mount, update, unmount } = defineRemote(PaymentsRoutes);
