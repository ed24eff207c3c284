/** The payout address for referral money: one per user, with the rules of a sub-account's wallet. */
import { type Querier, sql } from '../../platform/db/querier';
import type { StoredWallet, WalletStore } from '../wallets/wallet';
import { holdAnswer, type Wallet } from '../wallets/wallet-rules';

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
