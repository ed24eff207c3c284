/** Where referral money is paid to: one address per user, by the rules of a sub-account's wallet. */
import type { Pool } from 'pg';
import { transaction } from '../db/transaction';
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
const answerOf = (wallet: Wallet, now: number): ReferralWallet => {
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
  return answerOf(toWallet(row), now);
}

export type WalletTold = {
  change: 'changed' | 'cancelled';
  oldAddress: string | null;
  newAddress: string;
  until: string | null;
};
export type SetResult =
  | { refused: 'reverification_required' }
  | { refused: null; wallet: ReferralWallet; told: (WalletTold & { id: number }) | null };

/** Sets a checked address; the change, its audit row and the bell's row are one. `now`: Unix seconds. */
export function setReferralWallet(
  pool: Pool,
  { userId, userName, ip, now }: { userId: number; userName: string; ip: string; now: number },
  address: string,
  { recent, holdHours }: { recent: boolean; holdHours: number },
): Promise<SetResult> {
  return transaction(pool, async (client): Promise<SetResult> => {
    const {
      rows: [row],
    } = await client.query<Row>(`select ${COLUMNS} from app_user where id = $1 for update`, [userId]);
    const wallet = toWallet(row);
    const change = changeWallet(wallet, address, now, holdHours);
    if (change.kind === 'none') return { refused: null, wallet: answerOf(wallet, now), told: null };
    if (change.kind !== 'back' && !recent) return { refused: 'reverification_required' };
    await client.query(
      'update app_user set referral_address = $2, referral_address_before = $3, referral_hold_until = $4 where id = $1',
      [userId, change.to.btcAddress, change.to.addressBefore, change.to.addressHoldUntil],
    );
    await client.query(
      'insert into audit (user_id, action, subject, before, after, ip) values ($1, $2, $3, $4, $5, $6)',
      [
        userId,
        change.kind === 'back' ? 'referral_wallet.cancel' : 'referral_wallet.change',
        userName,
        JSON.stringify({ walletAddress: change.from }),
        JSON.stringify({ walletAddress: address, holdUntil: change.to.addressHoldUntil }),
        ip,
      ],
    );
    const told: WalletTold = {
      change: change.kind === 'back' ? 'cancelled' : 'changed',
      oldAddress: change.from && shortAddress(change.from),
      newAddress: shortAddress(address),
      until: change.to.addressHoldUntil?.toISOString() ?? null,
    };
    const values = {
      account: userName,
      newAddress: told.newAddress,
      ...(told.oldAddress ? { oldAddress: told.oldAddress } : {}),
      ...(told.until ? { until: told.until } : {}),
    };
    const {
      rows: [made],
    } = await client.query<{ id: number }>(
      'insert into notification (user_id, kind, values) values ($1, $2, $3) returning id',
      [userId, walletKind(told.change, told.oldAddress), JSON.stringify(values)],
    );
    return { refused: null, wallet: answerOf(change.to, now), told: { ...told, id: made?.id ?? 0 } };
  });
}
