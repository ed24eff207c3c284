/** The payout address for referral money: one per user, with the rules of a sub-account's wallet. */
import type { Pool } from 'pg';
import { writeAudit } from '../accounts/audit';
import { moneyTransaction } from '../db/transaction';
import { shortAddress } from '../wallets/bitcoin-address';
import type { Querier } from '../db/querier';
import { changeWallet, holdOf, walletKind, type Wallet } from '../wallets/wallet-rules';

type Row = {
  referral_address: string | null;
  referral_address_before: string | null;
  referral_hold_until: Date | null;
};
const COLUMNS = 'referral_address, referral_address_before, referral_hold_until';
const toWallet = (row: Row | undefined): Wallet => ({
  btcAddress: row?.referral_address ?? null,
  addressBefore: row?.referral_address_before ?? null,
  addressHoldUntil: row?.referral_hold_until ?? null,
});

export type ReferralWallet = { walletAddress: string | null; hold?: { until: string; oldAddress: string } };
const walletAnswer = (wallet: Wallet, now: number): ReferralWallet => {
  const hold = holdOf(wallet, now);
  return {
    walletAddress: wallet.btcAddress,
    ...(hold ? { hold: { until: hold.until.toISOString(), oldAddress: hold.oldAddress } } : {}),
  };
};

export async function referralWalletOf(db: Querier, userId: number, now: number): Promise<ReferralWallet> {
  const {
    rows: [row],
  } = await db.query<Row>(`select ${COLUMNS} from app_user where id = $1`, [userId]);
  return walletAnswer(toWallet(row), now);
}

type ReferralWalletEvent = {
  change: 'changed' | 'cancelled';
  oldAddress: string | null;
  newAddress: string;
  until: string | null;
};
export type SetResult =
  | { refused: 'reverification_required' }
  | { refused: null; wallet: ReferralWallet; event: (ReferralWalletEvent & { id: number }) | null };

/**
 * Sets a checked address, and writes the audit row and the notification in the same transaction. `now`: Unix seconds.
 */
export function setReferralWallet(
  pool: Pool,
  { userId, userName, ip, now }: { userId: number; userName: string; ip: string; now: number },
  address: string,
  { recent, holdHours }: { recent: boolean; holdHours: number },
): Promise<SetResult> {
  return moneyTransaction(pool, async (client): Promise<SetResult> => {
    const {
      rows: [row],
    } = await client.query<Row>(`select ${COLUMNS} from app_user where id = $1 for update`, [userId]);
    const wallet = toWallet(row);
    const change = changeWallet(wallet, address, now, holdHours);
    if (change.kind === 'none') return { refused: null, wallet: walletAnswer(wallet, now), event: null };
    if (change.kind !== 'back' && !recent) return { refused: 'reverification_required' };
    await client.query(
      `update app_user
       set referral_address = $2, referral_address_before = $3, referral_hold_until = $4
       where id = $1`,
      [userId, change.to.btcAddress, change.to.addressBefore, change.to.addressHoldUntil],
    );
    const action = change.kind === 'back' ? 'referral_wallet.cancel' : 'referral_wallet.change';
    await writeAudit(client, { actorId: userId, ip }, action, userName, {
      before: { walletAddress: change.from },
      after: { walletAddress: address, holdUntil: change.to.addressHoldUntil },
    });
    const event: ReferralWalletEvent = {
      change: change.kind === 'back' ? 'cancelled' : 'changed',
      oldAddress: change.from && shortAddress(change.from),
      newAddress: shortAddress(address),
      until: change.to.addressHoldUntil?.toISOString() ?? null,
    };
    const values = {
      account: userName,
      newAddress: event.newAddress,
      ...(event.oldAddress ? { oldAddress: event.oldAddress } : {}),
      ...(event.until ? { until: event.until } : {}),
    };
    const {
      rows: [made],
    } = await client.query<{ id: number }>(
      'insert into notification (user_id, kind, values) values ($1, $2, $3) returning id',
      [userId, walletKind(event.change, event.oldAddress), JSON.stringify(values)],
    );
    return { refused: null, wallet: walletAnswer(change.to, now), event: { ...event, id: made?.id ?? 0 } };
  });
}
