import { defineFirstView } from '@pool/shared/first-view';
import { PaymentsRoutes } from './routes';

export const render = defineFirstView(PaymentsRoutes);
