import { join, raw, sql, type Querier, type Sql } from './querier';

/** Selects that are one statement, by the name of their rows. */
export type Selects<T> = { [K in keyof T]: Sql };

/** Rows of several selects in one round trip as JSON: times are ISO text, sums of satoshis may need `safe`. */
export async function together<T extends Record<string, object>>(
  db: Querier,
  statement: string,
  selects: Selects<T>,
): Promise<{ [K in keyof T]: T[K][] }> {
  const columns = Object.entries<Sql>(selects).map(
    ([name, select]) => sql`(select coalesce(json_agg(r), '[]') from (${select}) r) as ${raw(`"${name}"`)}`,
  );
  const { text, values } = sql`select ${join(columns)}`;
  const { rows } = await db.query<{ [K in keyof T]: T[K][] }>({ name: statement, text, values });
  return rows[0]!;
}
