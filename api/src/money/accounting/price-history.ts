/** The pool's own price of each day of the last year: the one that counted, which is the last known before it. */
import type { AlgorithmName } from '@pool/shared/domain';
import { addDays, dayOf } from '../../platform/days';
import type { Querier } from '../../platform/db/querier';
import { knownPrices, type KnownPrice } from './prices';

const DAYS = 365;
export type HistoryDay = KnownPrice;

/** The oldest first, to today; empty: nobody has set a price. `now`: Unix seconds. */
export async function priceHistory(db: Querier, algorithm: AlgorithmName, now: number): Promise<HistoryDay[]> {
  const today = dayOf(now);
  const first = addDays(today, 1 - DAYS);
  const rows = await knownPrices(db, algorithm, { since: first, until: today });
  const days: HistoryDay[] = [];
  for (const [at, row] of rows.entries()) {
    const until = rows[at + 1]?.day ?? addDays(today, 1);
    for (let day = row.day; day < until; day = addDays(day, 1)) if (day >= first) days.push({ ...row, day });
  }
  return days;
}
