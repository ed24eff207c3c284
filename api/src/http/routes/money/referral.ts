import { dayOf } from '../../../platform/days';
import { originOf } from '../../../platform/origin-of';
import {
  accrualsOf,
  activate,
  codeOf,
  makeCode,
  referralStats,
  referralTerms,
  referredUsers,
} from '../../../money/referral/referral';
import type { Deps } from '../../context/deps';
import { found, Refused } from '../../../platform/refused';
import type { Handlers } from '../../auth/route';
import { subAccountsOf } from '../../../accounts/accounts';
import { allPayments, paymentsOf } from '../../../money/payouts/payments';
import { referralAnswer, referralWalletOf, referralWallets } from '../../../money/wallets/account-wallet';
import { setWallet } from '../../../money/wallets/wallet';
import { paged } from '../../server/cursor';
import { changePayment, failedAfterSending } from './payment-moves';
import { signedInRecently } from '../../auth/recent';
import { checkedAddress } from './wallet';

export function referralRoutes(deps: Deps) {
  const { pool, bus, config, now } = deps;
  const linkOf = (request: { protocol: string; host: string }, code: string): string =>
    `${originOf(request)}${config.SIGN_UP_URL}?ref=${code}`;
  const rules = () => referralTerms(pool, dayOf(now()));
  return {
    'GET /referral/accruals': ({ me, query }) => paged(query, (page) => accrualsOf(pool, me.user.id, page)),
    'GET /referral/payments': ({ me, query }) =>
      paged(query, async (page) => {
        const ids = (await subAccountsOf(pool, me.user.id)).map(({ id }) => id);
        return paymentsOf(pool, ids, {}, page, 'referral');
      }),
    'GET /referral/wallet': ({ me }) => referralWalletOf(pool, me.user.id, now()),
    'PUT /referral/wallet': {
      shows: async ({ me, body }) => {
        const address = checkedAddress(body.walletAddress, 'walletAddress');
        const { walletAddress: before } = await referralWalletOf(pool, me.user.id, now());
        return { before: before === null ? null : { address: before }, after: { address } };
      },
      handle: async ({ me, body, request }) => {
        const address = checkedAddress(body.walletAddress, 'walletAddress');
        const { id: userId, userName } = me.user;
        const owner = { userId, name: userName, ip: request.ip, now: now() };
        const terms = { recent: signedInRecently(me), holdHours: config.WALLET_HOLD_HOURS };
        const wallet = await setWallet({ pool, bus, store: referralWallets }, owner, address, terms);
        return referralAnswer(found(wallet), now());
      },
    },
    'GET /admin/referralPayments': ({ query }) =>
      paged(query, (page) => allPayments(pool, { ...page, trigger: 'referral' }, page)),
    'PUT /admin/referralPayments': {
      shows: ({ query, body }) => failedAfterSending(pool, [{ ...body, id: query.id }]),
      handle: (c) => changePayment(deps, c, c.query.id, c.body, 'referral'),
    },
    'GET /referral/code': async ({ me, request }) => {
      const code = await codeOf(pool, me.user.id);
      return { code, link: code && linkOf(request, code), ...(await rules()) };
    },
    'POST /referral/code': async ({ me, request }) => {
      const code = await makeCode(pool, me.user.id);
      return { code, link: linkOf(request, code), ...(await rules()) };
    },
    'GET /referral/stats': ({ me }) => referralStats(pool, me.user.id, now()),
    'GET /referral/list': ({ me }) => referredUsers(pool, me.user.id, now()),
    'POST /referral/activate': async ({ me, body, request }) => {
      const refused = await activate(pool, me.user.id, body.referralCode, request.ip);
      if (refused) throw new Refused(refused === 'referral_unknown' ? 404 : 409, refused);
      return { activated: true };
    },
  } satisfies Partial<Handlers>;
}
