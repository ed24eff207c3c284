import type { Pool, PoolClient, QueryResultRow } from 'pg';

/** Runs SQL: the pool of connections, or the one connection of a transaction. */
export type Querier = Pick<Pool | PoolClient, 'query'>;

/** The first row of a statement; undefined: it has none. */
export const firstRow = async <T extends QueryResultRow>(
  db: Querier,
  text: string,
  values?: unknown[],
): Promise<T | undefined> => (await db.query<T>(text, values)).rows[0];

/** The name in code of a column: `userId` for `user_id`. */
export const inCode = (column: string): string =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Rows of a statement, their columns named as in code. `name`: the database plans the statement once per connection. */
export async function rowsOf<T>(
  db: Querier,
  text: string,
  values: readonly unknown[] = [],
  name?: string,
): Promise<T[]> {
  const { rows } = await db.query<Record<string, unknown>>({ name, text, values: [...values] });
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [inCode(key), value])) as T);
}

/**
 * Rows of a join of whole tables (`select a.*, b.*`): an object for each table, null where an outer join has found none;
 * computed columns that follow are one object more.
 */
export async function joinedRows<T extends unknown[]>(
  db: Querier,
  text: string,
  values: readonly unknown[],
  name?: string,
): Promise<T[]> {
  const { rows, fields } = await db.query<unknown[]>({ name, text, values: [...values], rowMode: 'array' });
  return rows.map((row) => {
    const tables: Record<string, unknown>[] = [];
    fields.forEach((field, index) => {
      if (field.tableID !== fields[index - 1]?.tableID) tables.push({});
      tables.at(-1)![inCode(field.name)] = row[index];
    });
    return tables.map((table) => (Object.values(table).every((value) => value === null) ? null : table)) as T;
  });
}
