import type { Deps } from '../context/deps';
import type { Handlers } from '../auth/route';
import { accessRoutes } from './accounts/access';
import { accountRoutes } from './accounts/account';
import { accountingRoutes } from './money/accounting';
import { adminMoneyRoutes } from './admin/money';
import { remoteRoutes } from './admin/remotes';
import { systemRoutes } from './admin/system';
import { termsRoutes } from './admin/terms';
import { adminRoutes } from './admin/users';
import { publicRoutes } from './public';
import { farmEventRoutes } from './mining/farm-events';
import { hashrateRoutes } from './mining/hashrate';
import { notificationRoutes } from './accounts/notifications';
import { organizationRoutes } from './accounts/organizations';
import { paymentRoutes } from './money/payments';
import { payoutRoutes } from './money/payouts';
import { poolConfigRoutes } from './mining/pool-configs';
import { poolListRoutes } from './mining/pool-lists';
import { referralRoutes } from './money/referral';
import { telegramRoutes } from './accounts/telegram';
import { webhookRoutes } from './accounts/webhooks';
import { waitingRoutes } from './accounts/waiting';
import { walletRoutes } from './money/wallet';
import { timelineRoutes } from './mining/timeline';
import { workerGroupRoutes } from './mining/worker-groups';
import { workerJoinRoutes } from './mining/worker-joins';
import { workerRoutes } from './mining/workers';

export function allHandlers(deps: Deps): Handlers {
  const own: Handlers = {
    ...publicRoutes(deps),
    ...accountRoutes(deps),
    ...walletRoutes(deps),
    ...accessRoutes(deps),
    ...organizationRoutes(deps),
    ...hashrateRoutes(deps),
    ...timelineRoutes(deps),
    ...farmEventRoutes(deps),
    ...workerRoutes(deps),
    ...workerGroupRoutes(deps),
    ...workerJoinRoutes(deps),
    ...poolConfigRoutes(deps),
    ...poolListRoutes(deps),
    ...paymentRoutes(deps),
    ...payoutRoutes(deps),
    ...accountingRoutes(deps),
    ...referralRoutes(deps),
    ...notificationRoutes(deps),
    ...telegramRoutes(deps),
    ...webhookRoutes(deps),
    ...adminRoutes(deps),
    ...adminMoneyRoutes(deps),
    ...systemRoutes(deps),
    ...remoteRoutes(deps),
    ...termsRoutes(deps),
    ...waitingRoutes(deps, () => own),
  };
  return own;
}
