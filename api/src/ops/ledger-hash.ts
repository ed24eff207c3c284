/** A hash of the whole ledger: equal hashes mean equal entries. */
import { createHash } from 'node:crypto';
import { type Querier, rowsOf } from '../platform/db/querier';

/** `hash`: sha256 of the entries' lines in the order of their ids, up to `lastId` (0: no entries). */
export type LedgerHash = { hash: string; entries: number; lastId: number };

const AT_ONCE = 10_000;
/** All columns of an entry, as text that does not depend on session settings. */
const PAGE = `
  select id,
    json_build_array(id, party, sub_account_id, user_id, kind, amount_sat, ref,
      to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'))::text as line
  from ledger where id > $1 and ($2::bigint is null or id <= $2) order by id limit ${AT_ONCE}`;

/** `through`: the last entry to include; default: all. */
export async function ledgerHash(db: Querier, through: number | null = null): Promise<LedgerHash> {
  const hash = createHash('sha256');
  let entries = 0;
  let lastId = 0;
  for (;;) {
    const rows = await rowsOf<{ id: number | string; line: string }>(db, PAGE, [lastId, through]);
    for (const { line } of rows) hash.update(line).update('\n');
    entries += rows.length;
    lastId = Number(rows.at(-1)?.id ?? lastId);
    if (rows.length < AT_ONCE) return { hash: hash.digest('hex'), entries, lastId };
  }
}
