/** Wallets of sub-accounts, with their history. */
import type { Wallet as WalletAnswer } from '@pool/shared/api/contract';
import { changesOf } from '../../accounts/waiting/waiting';
import { firstRow, oneRow, type Querier, type Sql, sql } from '../../platform/db/querier';
import type { StoredWallet, WalletStore } from './wallet';
import { holdAnswer, type Wallet } from './wallet-rules';

const selectOf = (userId: number): Sql => sql`
  select id, referral_address as btc_address, referral_address_before as address_before,
    referral_hold_until as address_hold_until
  from app_user where id = ${userId}`;

export const referralWallets: WalletStore = {
  call: 'PUT /referral/wallet',
  action: 'referral_wallet',
  field: 'walletAddress',
  lock: (client, { userId }) => firstRow<StoredWallet>(client)`${selectOf(userId)} for update`,
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
  return referralAnswer(await oneRow<StoredWallet>(db)`${selectOf(userId)}`, now);
}

const MAX_HISTORY = 50;

export const accountWallets: WalletStore = {
  call: 'PUT /wallet/',
  action: 'wallet',
  field: 'btcAddress',
  lock: (client, { userId, name }) => firstRow<StoredWallet>(client)`
    select id, btc_address, address_before, address_hold_until, address_set_by
    from sub_account where name = ${name} and user_id = ${userId} and deleted_at is null for update`,
  write: (client, { id, btcAddress, addressBefore, addressHoldUntil, addressSetBy }) =>
    client.query(sql`
      update sub_account
      set btc_address = ${btcAddress}, address_before = ${addressBefore}, address_hold_until = ${addressHoldUntil},
        address_set_by = ${addressSetBy}
      where id = ${id}`),
};

/** The wallet as in the API. `now`: Unix seconds. */
export async function walletOf(db: Querier, wallet: StoredWallet, now: number): Promise<WalletAnswer> {
  const rows = await changesOf(db, accountWallets.call, wallet.id, MAX_HISTORY);
  return {
    btcAddress: wallet.btcAddress,
    ...(wallet.addressSetBy ? { setByAdmin: true } : {}),
    ...holdAnswer(wallet, now),
    history: rows.map(({ id, askedAt, shown: { before, after }, endsAt, state }) => ({
      id,
      at: askedAt.toISOString(),
      oldAddress: before?.address ?? null,
      newAddress: after?.address ?? '',
      effectiveAt: endsAt.toISOString(),
      status:
        state === 'taken_back'
          ? 'cancelled'
          : state === 'replaced'
            ? state
            : endsAt.getTime() > now * 1000
              ? 'held'
              : 'done',
    })),
  };
}
