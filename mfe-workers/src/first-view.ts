import { defineFirstView } from '@pool/shared/first-view';
import { AppRoutes } from './routes';

export const render = defineFirstView(AppRoutes);
