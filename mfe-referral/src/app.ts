import { defineRemote } from '@pool/shared/remote';
import { ReferralRoutes } from './routes';

export const { contract, bootstrap, mount, update, unmount } = defineRemote(ReferralRoutes);
