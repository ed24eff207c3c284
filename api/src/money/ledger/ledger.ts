/** The ledger: writes all entries of one event in one statement, which must sum to zero, and reads balances. */
import type { Pool, PoolClient } from 'pg';
import { longStatements } from '../../platform/db/bounded';
import { safe } from '../../platform/db/database';
import { oneValue, type Querier, rowsOf, type Sql, sql } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';

type Owner =
  | { party: 'account'; subAccountId: number }
  | { party: 'referrer'; userId: number }
  | { party: 'pool' | 'mined' | 'chain' };
export type Entry = Owner & { amountSat: number; ref: string };
export type LedgerKind = 'earning' | 'earning_reversal' | 'payout' | 'payout_reversal' | 'bonus';

/** Writes the entries, without those of zero satoshis. `at`: Unix seconds. */
export async function book(client: PoolClient, kind: LedgerKind, entries: readonly Entry[], at: number): Promise<void> {
  const rows = entries.filter((entry) => entry.amountSat !== 0);
  if (rows.length === 0) return;
  await client.query(sql`insert into ledger (party, sub_account_id, user_id, kind, amount_sat, ref, at)
    select party, "subAccountId", "userId", ${kind}, "amountSat", ref, to_timestamp(${at}::float8)
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(party text, "subAccountId" int, "userId" int,
      "amountSat" bigint, ref text)`);
}

export type Balance = { owedSat: number; paidSat: number; payouts: number };

/** Selects balances; no row where there was no entry yet. `these`: what follows `owner_id`. */
export const balanceSelect = (party: 'account' | 'referrer', these: Sql): Sql => sql`
  select owed_sat, paid_sat, payouts
  from balance
  where party = ${party} and owner_id ${these}`;

/** The sum of the rows of `balanceSelect`. Of a sub-account it is without referral money. */
export const balanceFrom = (rows: readonly Balance[]): Balance => {
  const sum = (of: keyof Balance): number => safe(rows.reduce((total, row) => total + Number(row[of]), 0));
  return { owedSat: sum('owedSat'), paidSat: sum('paidSat'), payouts: sum('payouts') };
};

const owedBy = async (db: Querier, party: 'account' | 'referrer', ownerId: number): Promise<number> =>
  balanceFrom(await rowsOf<Balance>(db)`${balanceSelect(party, sql`= ${ownerId}`)}`).owedSat;

export const owedTo = (db: Querier, subAccountId: number): Promise<number> => owedBy(db, 'account', subAccountId);

export const owedToReferrer = (db: Querier, userId: number): Promise<number> => owedBy(db, 'referrer', userId);

/** Number of stored balances that differ from the sum of the ledger: 0 unless somebody bypassed the trigger. */
export async function wrongBalances(pool: Pool): Promise<number> {
  return transaction(pool, async (client) => {
    await longStatements(client, 600_000);
    return oneValue<number>(client)`
      select count(*)
      from balance b
      full join ledger_balance l using (party, owner_id)
      where (b.owed_sat, b.paid_sat, b.payouts) is distinct from (l.owed_sat, l.paid_sat, l.payouts)`;
  });
}

/** Returns `ref`, or `ref#2`, `ref#3` when the ledger has entries of the same kind with this ref. */
export async function nextRef(
  client: PoolClient,
  party: Entry['party'],
  kind: LedgerKind,
  ref: string,
  subAccountId: number | null,
): Promise<string> {
  const done = await oneValue<number>(client)`
    select count(*)
    from ledger
    where party = ${party} and kind = ${kind}
      and (ref = ${ref} or starts_with(ref, ${ref} || '#'))
      and sub_account_id is not distinct from ${subAccountId}`;
  return done > 0 ? `${ref}#${done + 1}` : ref;
}
