/** Writing to the ledger: all entries of one event in one statement, which must sum to zero. */
import type { PoolClient } from 'pg';
import type { Querier } from '../db/querier';

type Owner =
  | { party: 'account'; subAccountId: number }
  | { party: 'referrer'; userId: number }
  | { party: 'pool' | 'mined' | 'chain' };
export type Entry = Owner & { amountSat: number; ref: string };
export type LedgerKind = 'earning' | 'earning_reversal' | 'payout' | 'payout_reversal';

/** `at`: Unix seconds. Entries of nothing are left out. */
export async function book(client: PoolClient, kind: LedgerKind, entries: readonly Entry[], at: number): Promise<void> {
  const rows = entries.filter((entry) => entry.amountSat !== 0);
  if (rows.length === 0) return;
  await client.query(
    `insert into ledger (party, sub_account_id, user_id, kind, amount_sat, ref, at)
     select party, "subAccountId", "userId", $1, "amountSat", ref, to_timestamp($3::float8)
     from json_to_recordset($2::json) as r(party text, "subAccountId" int, "userId" int, "amountSat" bigint, ref text)`,
    [kind, JSON.stringify(rows), at],
  );
}

/** What a sub-account is owed. */
export async function owedTo(db: Querier, subAccountId: number): Promise<number> {
  const {
    rows: [row],
  } = await db.query<{ sats: number }>(
    'select coalesce(sum(amount_sat), 0) as sats from ledger where sub_account_id = $1',
    [subAccountId],
  );
  return row?.sats ?? 0;
}

/** What a referrer is owed. */
export async function owedToReferrer(db: Querier, userId: number): Promise<number> {
  const {
    rows: [row],
  } = await db.query<{ sats: number }>(
    "select coalesce(sum(amount_sat), 0) as sats from ledger where party = 'referrer' and user_id = $1",
    [userId],
  );
  return row?.sats ?? 0;
}

/** `ref`, or `ref#2`, `ref#3` when the same kind of entry was booked before. */
export async function nextRef(
  client: PoolClient,
  party: Entry['party'],
  kind: LedgerKind,
  ref: string,
  subAccountId: number | null,
): Promise<string> {
  const {
    rows: [done],
  } = await client.query<{ n: number }>(
    `select count(*) as n from ledger where party = $1 and kind = $2 and (ref = $3 or starts_with(ref, $3 || '#')) and sub_account_id is not distinct from $4`,
    [party, kind, ref, subAccountId],
  );
  return done?.n ? `${ref}#${done.n + 1}` : ref;
}
