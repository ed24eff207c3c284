/** Wallets of sub-accounts, with their history. */
import type { Wallet as WalletAnswer } from '@pool/shared/api/contract';
import { type Querier, rowsOf, sql } from '../../platform/db/querier';
import type { StoredWallet, WalletStore } from './wallet';
import { holdAnswer, type Wallet } from './wallet-rules';

const SELECT = `
  select id, referral_address as "btcAddress", referral_address_before as "addressBefore",
         referral_hold_until as "addressHoldUntil"
  from app_user where id = $1`;

export const referralWallets: WalletStore = {
  action: 'referral_wallet',
  field: 'walletAddress',
  lock: async (client, { userId }) => (await client.query<StoredWallet>(`${SELECT} for update`, [userId])).rows[0],
  write: (client, { id, btcAddress, addressBefore, addressHoldUntil }) =>
    client.query(sql`
      update app_user
      set referral_address = ${btcAddress}, referral_address_before = ${addressBefore},
        referral_hold_until = ${addressHoldUntil}
      where id = ${id}`),
};

type ReferralWallet = { walletAddress: string | null; hold?: { until: string; oldAddress: string | null } };

/** The wallet as in the API. `now`: Unix seconds. */
export const referralAnswer = (wallet: Wallet, now: number): ReferralWallet => ({
  walletAddress: wallet.btcAddress,
  ...holdAnswer(wallet, now),
});

export async function referralWalletOf(db: Querier, userId: number, now: number): Promise<ReferralWallet> {
  const { rows } = await db.query<StoredWallet>(SELECT, [userId]);
  return referralAnswer(rows[0] ?? { btcAddress: null, addressBefore: null, addressHoldUntil: null }, now);
}

/** A change of a sub-account's address, in `wallet_change`: held until `effectiveAt`, unless cancelled or replaced. */
type WalletChangeRow = {
  id: number;
  subAccountId: number;
  oldAddress: string | null;
  newAddress: string;
  status: 'set' | 'cancelled' | 'replaced';
  effectiveAt: Date;
  createdAt: Date;
};

const MAX_HISTORY = 50;

export const accountWallets: WalletStore = {
  action: 'wallet',
  field: 'btcAddress',
  lock: async (client, { userId, name }) =>
    (
      await client.query<StoredWallet>(sql`select id, btc_address as "btcAddress", address_before as "addressBefore",
               address_hold_until as "addressHoldUntil", address_set_by as "addressSetBy"
        from sub_account where name = ${name} and user_id = ${userId} and deleted_at is null for update`)
    ).rows[0],
  write: (client, { id, btcAddress, addressBefore, addressHoldUntil, addressSetBy }) =>
    client.query(sql`
      update sub_account
      set btc_address = ${btcAddress}, address_before = ${addressBefore}, address_hold_until = ${addressHoldUntil},
        address_set_by = ${addressSetBy}
      where id = ${id}`),
  async record(client, id, { kind, from, to }, at) {
    // Only the changes whose hold has not ended.
    await client.query(sql`
      update wallet_change set status = ${kind === 'back' ? 'cancelled' : 'replaced'} where sub_account_id = ${id}
        and status = 'set' and effective_at > ${at}`);
    if (kind !== 'back')
      await client.query(sql`
        insert into wallet_change (sub_account_id, old_address, new_address, effective_at, created_at)
        values (${id}, ${from}, ${to.btcAddress}, ${to.addressHoldUntil ?? at}, ${at})`);
  },
};

/** The wallet as in the API. `now`: Unix seconds. */
export async function walletOf(db: Querier, wallet: StoredWallet, now: number): Promise<WalletAnswer> {
  const rows = await rowsOf<WalletChangeRow>(db)`
    select * from wallet_change where sub_account_id = ${wallet.id} order by id desc limit ${MAX_HISTORY}`;
  return {
    btcAddress: wallet.btcAddress,
    ...(wallet.addressSetBy ? { setByAdmin: true } : {}),
    ...holdAnswer(wallet, now),
    history: rows.map(({ id, createdAt, oldAddress, newAddress, effectiveAt, status }) => ({
      id,
      at: createdAt.toISOString(),
      oldAddress,
      newAddress,
      effectiveAt: effectiveAt.toISOString(),
      status: status === 'set' ? (effectiveAt.getTime() > now * 1000 ? 'held' : 'done') : status,
    })),
  };
}
