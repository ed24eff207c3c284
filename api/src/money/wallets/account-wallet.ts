/** Wallets of sub-accounts, with their history. */
import type { Wallet as WalletAnswer } from '@pool/shared/api/contract';
import { rowsOf, type Querier } from '../../platform/db/querier';
import type { StoredWallet, WalletStore } from './wallet';
import { holdAnswer } from './wallet-rules';

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
      await client.query<StoredWallet>(
        `select id, btc_address as "btcAddress", address_before as "addressBefore",
                address_hold_until as "addressHoldUntil", address_set_by as "addressSetBy"
         from sub_account where name = $1 and user_id = $2 and deleted_at is null for update`,
        [name, userId],
      )
    ).rows[0],
  write: (client, { id, btcAddress, addressBefore, addressHoldUntil, addressSetBy }) =>
    client.query(
      `update sub_account set btc_address = $2, address_before = $3, address_hold_until = $4, address_set_by = $5
       where id = $1`,
      [id, btcAddress, addressBefore, addressHoldUntil, addressSetBy],
    ),
  async record(client, id, { kind, from, to }, at) {
    // Only the changes whose hold has not ended.
    await client.query(
      `update wallet_change set status = $2 where sub_account_id = $1 and status = 'set' and effective_at > $3`,
      [id, kind === 'back' ? 'cancelled' : 'replaced', at],
    );
    if (kind !== 'back')
      await client.query(
        `insert into wallet_change (sub_account_id, old_address, new_address, effective_at, created_at)
         values ($1, $2, $3, $4, $5)`,
        [id, from, to.btcAddress, to.addressHoldUntil ?? at, at],
      );
  },
};

/** The wallet as in the API. `now`: Unix seconds. */
export async function walletOf(db: Querier, wallet: StoredWallet, now: number): Promise<WalletAnswer> {
  const rows = await rowsOf<WalletChangeRow>(
    db,
    'select * from wallet_change where sub_account_id = $1 order by id desc limit $2',
    [wallet.id, MAX_HISTORY],
  );
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
