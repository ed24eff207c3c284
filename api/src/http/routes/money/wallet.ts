/** Payout addresses. Only a session can change one; watcher tokens and API keys cannot. */
import type { FastifyRequest } from 'fastify';
import type { Wallet } from '@pool/shared/api/contract';
import { ADDRESS_REASONS, checkBitcoinAddress } from '../../../money/wallets/bitcoin-address';
import { changesOf } from '../../../accounts/waiting/waiting';
import { findSubAccount } from '../../../accounts/accounts';
import { accountWallets, walletOf } from '../../../money/wallets/account-wallet';
import { cancelChange, setWallet, type StoredWallet } from '../../../money/wallets/wallet';
import { readableAccount } from '../../context/readable-accounts';
import type { Deps } from '../../context/deps';
import type { Principal } from '../../auth/principal';
import { signedInRecently } from '../../auth/recent';
import { found, Refused } from '../../../platform/refused';
import type { Handlers } from '../../auth/route';

/** The address in its stored form; throws a 400 with the reason as its code. */
export function checkedAddress(text: string, path = 'btcAddress'): string {
  const checked = checkBitcoinAddress(text);
  if (checked.ok) return checked.address;
  const detail = ADDRESS_REASONS[checked.reason];
  throw new Refused(400, checked.reason, { detail, errors: [{ path, message: detail }] });
}

export function walletRoutes(deps: Deps) {
  const { pool, bus, config, now } = deps;
  const places = { pool, bus, store: accountWallets };
  const from = (request: FastifyRequest) => ({ ip: request.ip, now: now() });
  const owned = async (me: Principal, name = me.user.userName) => found(await findSubAccount(pool, name, me.user.id));
  const answer = (wallet: StoredWallet | null): Promise<Wallet> => walletOf(pool, found(wallet), now());
  return {
    'GET /wallet/': async ({ me, query }) => walletOf(pool, await readableAccount(deps, me, query.accountName), now()),
    'PUT /wallet/': {
      shows: async ({ me, query, body }) => {
        const address = checkedAddress(body.btcAddress);
        const { name, btcAddress } = await owned(me, query.accountName);
        return { account: name, before: btcAddress === null ? null : { address: btcAddress }, after: { address } };
      },
      handle: async ({ me, query, body, request }) => {
        const address = checkedAddress(body.btcAddress);
        const owner = { userId: me.user.id, name: query.accountName ?? me.user.userName, ...from(request) };
        const terms = { recent: signedInRecently(me), holdHours: config.WALLET_HOLD_HOURS };
        return answer(await setWallet(places, owner, address, terms));
      },
    },
    'PUT /admin/wallet': async ({ me, query: { accountName }, body, request }) => {
      const address = checkedAddress(body.btcAddress);
      const account = found(await findSubAccount(pool, accountName));
      const owner = { userId: account.userId, name: account.name, adminId: me.user.id, ...from(request) };
      return answer(await setWallet(places, owner, address, { recent: true, holdHours: config.WALLET_HOLD_HOURS }));
    },
    'DELETE /wallet/change': {
      shows: async ({ me, query }) => {
        const { id, name, btcAddress } = await owned(me, query.accountName);
        const [held] = await changesOf(pool, 'PUT /wallet/', id, 1);
        // What one person asked, one person takes back; what two decided takes two.
        if (held?.state !== 'waits' || held.confirmedBy === null || btcAddress === null) return null;
        return { account: name, before: { address: btcAddress }, after: held.shown.before };
      },
      handle: async ({ me, query, request }) => {
        const owner = { userId: me.user.id, name: query.accountName ?? me.user.userName, ...from(request) };
        return answer(await cancelChange(places, owner, signedInRecently(me)));
      },
    },
  } satisfies Partial<Handlers>;
}
