/** The database's clock, which decides about money: the clocks of processes may be wrong. */
import type { Querier } from './querier';

/** Unix seconds. */
export async function databaseNow(db: Querier): Promise<number> {
  const {
    rows: [row],
  } = await db.query<{ now: number }>('select extract(epoch from now())::float8 as now');
  if (!row) throw new Error('no row');
  return row.now;
}
