import type { Deps } from '../deps';
import type { Handlers } from '../route';
import { accountRoutes } from './account';
import { adminRoutes } from './admin';
import { hashrateRoutes } from './hashrate';
import { notificationRoutes } from './notifications';
import { paymentRoutes } from './payments';
import { publicRoutes } from './public';
import { referralRoutes } from './referral';
import { workerRoutes } from './workers';

export const allHandlers = (deps: Deps): Handlers => ({
  ...publicRoutes(deps),
  ...accountRoutes(deps),
  ...hashrateRoutes(deps),
  ...workerRoutes(deps),
  ...paymentRoutes(deps),
  ...referralRoutes(deps),
  ...notificationRoutes(deps),
  ...adminRoutes(deps),
});
