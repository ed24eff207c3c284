/** Payout addresses. Only a session can change one; watcher tokens and API keys cannot. */
import type { Wallet } from '@pool/shared/api/contract';
import { ADDRESS_REASONS, checkBitcoinAddress } from '../../../wallets/bitcoin-address';
import { cancelChange, setWallet, walletOf, type WalletResult } from '../../../wallets/wallet';
import { readableAccount } from '../../context/access';
import type { Deps } from '../../context/deps';
import { reverify, signedInRecently } from '../../auth/recent';
import { HttpProblem, problems } from '../../server/problem';
import type { SomeHandlers } from '../../auth/route';

type Calls = 'GET /wallet/' | 'PUT /wallet/' | 'DELETE /wallet/change';

/** The address in its stored form; throws a 400 with the reason as its code. */
export function checkedAddress(text: string, path = 'btcAddress'): string {
  const checked = checkBitcoinAddress(text);
  if (checked.ok) return checked.address;
  const detail = ADDRESS_REASONS[checked.reason];
  throw new HttpProblem(400, checked.reason, { detail, errors: [{ path, message: detail }] });
}

export function walletRoutes(deps: Deps): SomeHandlers<Calls> {
  const {
    database: { db },
    bus,
    config,
    now,
  } = deps;
  const answer = (result: WalletResult): Promise<Wallet> => {
    if (result.refused === null) return walletOf(db, result.account, now());
    if (result.refused === 'not_found') throw problems.notFound();
    if (result.refused === 'reverification_required') throw reverify();
    throw problems.conflict('no_pending_change', 'There is no change that is held.');
  };
  return {
    'GET /wallet/': async ({ me, query }) => walletOf(db, await readableAccount(deps, me, query.accountName), now()),
    'PUT /wallet/': async ({ me, query, body, request: { ip } }) => {
      const address = checkedAddress(body.btcAddress);
      return answer(
        await setWallet(
          db,
          bus,
          { userId: me.user.id, name: query.accountName ?? me.user.userName, ip, now: now() },
          address,
          { recent: signedInRecently(me), holdHours: config.WALLET_HOLD_HOURS },
        ),
      );
    },
    'DELETE /wallet/change': async ({ me, query, request: { ip } }) =>
      answer(
        await cancelChange(db, bus, {
          userId: me.user.id,
          name: query.accountName ?? me.user.userName,
          ip,
          now: now(),
        }),
      ),
  };
}
