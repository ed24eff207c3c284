import type { Deps } from '../deps';
import type { Handlers } from '../route';
import { accessRoutes } from './access';
import { accountRoutes } from './account';
import { accountingRoutes } from './accounting';
import { adminRoutes } from './admin';
import { bonusRoutes } from './bonus';
import { hashrateRoutes } from './hashrate';
import { notificationRoutes } from './notifications';
import { paymentRoutes } from './payments';
import { payoutRoutes } from './payouts';
import { poolConfigRoutes } from './pool-configs';
import { poolListRoutes } from './pool-lists';
import { publicRoutes } from './public';
import { referralRoutes } from './referral';
import { referralMoneyRoutes } from './referral-money';
import { telegramRoutes } from './telegram';
import { viewAsRoutes } from './view-as';
import { walletRoutes } from './wallet';
import { workerGroupRoutes } from './worker-groups';
import { workerRoutes } from './workers';

export const allHandlers = (deps: Deps): Handlers => {
  const own = {
    ...publicRoutes(deps),
    ...accountRoutes(deps),
    ...walletRoutes(deps),
    ...accessRoutes(deps),
    ...hashrateRoutes(deps),
    ...workerRoutes(deps),
    ...workerGroupRoutes(deps),
    ...poolConfigRoutes(deps),
    ...poolListRoutes(deps),
    ...paymentRoutes(deps),
    ...payoutRoutes(deps),
    ...accountingRoutes(deps),
    ...referralRoutes(deps),
    ...referralMoneyRoutes(deps),
    ...notificationRoutes(deps),
    ...telegramRoutes(deps),
    ...bonusRoutes(deps),
    ...adminRoutes(deps),
  };
  return { ...own, ...viewAsRoutes(deps, own) };
};
