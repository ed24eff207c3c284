/** Credited work that brought the upstream less than chance explains, as the proxies found it (miner/withholding.ts). */
import { firstRow, type Querier, sql } from '../../platform/db/querier';
import type { Logger } from '../../platform/log';
import type { Withheld } from '../../stratum/miner/withholding';

/** Records it; a database that is down must not stop the proxy, and is told again when there is more of it. */
export const pgWithheldLog =
  (db: Querier, log: Logger) =>
  ({ day, algorithm, who, subAccountId, expected, brought, held }: Withheld): void => {
    db.query(sql`
      insert into withheld_work as w (day, algorithm, who, sub_account_id, expected, brought, held)
      values (${day}::date, ${algorithm}, ${who}, ${subAccountId}, ${expected}, ${brought}, ${held})
      on conflict (day, algorithm, who, sub_account_id) do update set
        expected = excluded.expected, brought = excluded.brought, held = w.held or excluded.held`).catch(
      (error: unknown) => log.warn({ err: error }, 'withheld work was not recorded'),
    );
  };

/** Accounts and algorithms that are paid nothing for the day until an admin has decided, as `id algorithm`. */
export async function heldOf(db: Querier, day: string): Promise<Set<string>> {
  const { rows } = await db.query<{ key: string }>(sql`
    select distinct sub_account_id || ' ' || algorithm as key from withheld_work where day = ${day}::date and held`);
  return new Set(rows.map(({ key }) => key));
}

/** Number of machines, networks and accounts that were named in the last seven days. */
export async function withheldLately(db: Querier): Promise<number> {
  const row = await firstRow<{ count: number }>(db)`
    select count(distinct who)::int as count from withheld_work where day > now() - interval '8 days'`;
  return row?.count ?? 0;
}
