import { CONTRACT } from '@pool/shared/contract';
import { defineRemote } from '@pool/shared/remote';
import { AppRoutes } from './routes';

export const contract = CONTRACT;
export const { bootstrap, mount, update, unmount } = defineRemote(AppRoutes);
