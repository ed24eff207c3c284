import type { Querier } from './querier';

/** Rows of several selects in one round trip as JSON: times are ISO text, sums of satoshis may need `safe`. */
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
