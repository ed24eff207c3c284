/** Referral money: accruals, payments, and the wallet. */
import { subAccountsOf } from '../../../accounts/accounts';
import { allPayments, paymentsOf } from '../../../money/payouts/payments';
import { accrualsOf } from '../../../money/referral/referral';
import { referralAnswer, referralWalletOf, referralWallets } from '../../../money/wallets/account-wallet';
import { setWallet } from '../../../money/wallets/wallet';
import { paged } from '../../server/cursor';
import type { Deps } from '../../context/deps';
import type { Handlers } from '../../auth/route';
import { changePayment } from './payment-moves';
import { signedInRecently } from '../../auth/recent';
import { changedWallet, checkedAddress } from './wallet';

export function referralMoneyRoutes(deps: Deps) {
  const { pool, bus, config, now } = deps;
  return {
    'GET /referral/accruals': async ({ me, query: { limit, cursor } }) => {
      return paged(cursor, (offset) => accrualsOf(pool, me.user.id, { limit, offset }));
    },
    'GET /referral/payments': async ({ me, query: { limit, cursor } }) => {
      return paged(cursor, async (offset) =>
        paymentsOf(
          pool,
          (await subAccountsOf(pool, me.user.id)).map(({ id }) => id),
          {},
          { limit, offset },
          'referral',
        ),
      );
    },
    'GET /referral/wallet': ({ me }) => referralWalletOf(pool, me.user.id, now()),
    'PUT /referral/wallet': async ({ me, body, request }) => {
      const address = checkedAddress(body.walletAddress, 'walletAddress');
      const { id: userId, userName } = me.user;
      const owner = { userId, name: userName, ip: request.ip, now: now() };
      const terms = { recent: signedInRecently(me), holdHours: config.WALLET_HOLD_HOURS };
      const result = await setWallet({ pool, bus, store: referralWallets }, owner, address, terms);
      return referralAnswer(changedWallet(result), now());
    },
    'GET /admin/referralPayments': async ({ query: { limit, cursor, order, ...filter } }) => {
      return paged(cursor, (offset) => allPayments(pool, { ...filter, trigger: 'referral' }, { limit, offset, order }));
    },
    'PUT /admin/referralPayments': (c) => changePayment(deps, c, c.query.id, c.body, 'referral'),
  } satisfies Partial<Handlers>;
}
