/** Credited work that brought the upstream less than chance explains, as the proxies found it (miner/withholding.ts). */
import { oneValue, type Querier, sql, valuesOf } from '../../platform/db/querier';
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
export const heldOf = async (db: Querier, day: string): Promise<Set<string>> =>
  new Set(
    await valuesOf<string>(db)`
      select distinct sub_account_id || ' ' || algorithm from withheld_work where day = ${day}::date and held`,
  );

/** Number of machines, networks and accounts that were named in the last seven days. */
export const withheldLately = (db: Querier): Promise<number> =>
  oneValue<number>(db)`select count(distinct who) from withheld_work where day > now() - interval '8 days'`;
