import type { Querier } from './querier';

/**
 * The rows of several selects, by name, in one round trip: for a call that is asked for often, where the way to the
 * database costs more than what is read. Rows come as JSON: a time is ISO text, a day `YYYY-MM-DD`, a sum of satoshis may
 * be beyond what is exact (`safe`).
 *
 * `statement`: the name it is prepared under; the same selects each time.
 */
export async function together<T extends Record<string, object>>(
  db: Querier,
  statement: string,
  selects: { [K in keyof T]: string },
  values: readonly unknown[],
): Promise<{ [K in keyof T]: T[K][] }> {
  const columns = Object.entries(selects).map(
    ([name, select]) => `(select coalesce(json_agg(r), '[]') from (${select}) r) as "${name}"`,
  );
  const { rows } = await db.query<{ [K in keyof T]: T[K][] }>({
    name: statement,
    text: `select ${columns.join(', ')}`,
    values: [...values],
  });
  return rows[0]!;
}
