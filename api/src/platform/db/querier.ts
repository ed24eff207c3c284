import { DatabaseError, type Pool, type PoolClient, type QueryResultRow } from 'pg';
import sql, { join, raw as rawText, type Sql } from 'sql-template-tag';

/** Unix seconds. */
export const databaseNow = (db: Querier): Promise<number> => oneValue<number>(db)`
  select extract(epoch from now())::float8`;

const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
/** Pattern for `like` and `ilike` that matches values containing `text`, with `%` and `_` taken literally. */
export const containsPattern = (text: string): string => `%${literal(text)}%`;
/** Matches values that start with `text`. */
export const prefixPattern = (text: string): string => `${literal(text)}%`;

/** Runs SQL: the pool of connections, or the one connection of a transaction. */
export type Querier = Pick<Pool | PoolClient, 'query'>;

/** SQL in which each `${value}` is a parameter, and each `${part}` that is SQL itself a part of the text. */
export { join, sql, type Sql };

/** Text of the code, never of a caller, as a part of a statement: columns, a condition, a number. */
export const raw = (text: string | number): Sql => rawText(String(text));

/** SQL of a time as answers have it: ISO 8601, UTC, milliseconds. `column`: SQL of a `timestamptz`. */
export const isoTime = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Conditions: a time (a column) is on these UTC days, both included. */
export const onDays = (column: string, { from, to }: { from?: string; to?: string }): Sql[] => [
  ...(from ? [sql`${raw(column)} >= ${from}::date::timestamp at time zone 'UTC'`] : []),
  ...(to ? [sql`${raw(column)} < (${to}::date + 1)::timestamp at time zone 'UTC'`] : []),
];

type Ask<T> = (...statement: Parameters<typeof sql>) => Promise<T>;

/** The first row of a statement, its columns named as in code; undefined: none. */
export const firstRow =
  <T>(db: Querier): Ask<T | undefined> =>
  async (...statement) =>
    (await rowsOf<T>(db)(...statement))[0];

/** The one row of a statement that always has one, its columns named as in code. */
export const oneRow =
  <T>(db: Querier): Ask<T> =>
  async (...statement) => {
    const row = await firstRow<T>(db)(...statement);
    if (row === undefined) throw new Error('no row');
    return row;
  };

/** The values of a statement with one column. */
export const valuesOf =
  <T>(db: Querier): Ask<T[]> =>
  async (...statement) =>
    (await db.query<QueryResultRow>(sql(...statement))).rows.map((row) => Object.values(row)[0] as T);

/** The value of a statement with one column, of its first row; undefined: it has none. */
export const valueOf =
  <T>(db: Querier): Ask<T | undefined> =>
  async (...statement) =>
    (await valuesOf<T>(db)(...statement))[0];

/** The one value of a statement that always has a row. */
export const oneValue = <T>(db: Querier) => valueOf<T>(db) as Ask<T>;

export const hasRow =
  (db: Querier): Ask<boolean> =>
  async (...statement) =>
    (await db.query(sql(...statement))).rows.length > 0;

/** The name in code of a column: `userId` for `user_id`. */
export const inCode = (column: string): string =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Rows of one statement, their columns named as in code; the same ones where they are named so already. */
export function asInCode<T>(rows: readonly Record<string, unknown>[]): T[] {
  const columns = Object.keys(rows[0] ?? {});
  const names = columns.map(inCode);
  if (names.every((name, i) => name === columns[i])) return rows as T[];
  return rows.map((row) => Object.fromEntries(columns.map((column, i) => [names[i], row[column]])) as T);
}

/** Rows of a statement that follows as SQL or as text, columns as in code. `name`: planned once per connection. */
export function rowsOf<T>(db: Querier): Ask<T[]>;
export function rowsOf<T>(db: Querier, text: string, values?: readonly unknown[], name?: string): Promise<T[]>;
export function rowsOf<T>(db: Querier, text?: string, values: readonly unknown[] = [], name?: string) {
  const all = async (statement: { name?: string; text: string; values: unknown[] }): Promise<T[]> =>
    asInCode<T>((await db.query<QueryResultRow>(statement)).rows);
  return text === undefined
    ? (...parts: Parameters<typeof sql>) => all(sql(...parts))
    : all({ name, text, values: [...values] });
}

/** The name of the unique constraint that a statement violated, else null. */
export function brokenUnique(error: unknown): string | null {
  if (!(error instanceof DatabaseError) || error.code !== '23505') return null;
  return error.constraint ?? '';
}

/** A page of what a select finds, and how many rows it has in all. `from`: all after the columns. `limit` null: all. */
export async function pageOf<T>(
  db: Querier,
  { columns, from, order }: { columns: Sql; from: Sql; order: string },
  { limit, offset }: { limit: number | null; offset: number },
): Promise<{ rows: T[]; total: number }> {
  const rows = await rowsOf<T>(db)`
    select ${columns} ${from} order by ${raw(order)} limit ${limit} offset ${offset}`;
  const { total } = await oneRow<{ total: number }>(db)`select count(*) as total ${from}`;
  return { rows, total };
}

/** Rows of a join of whole tables: an object for each, null for an outer one without; computed columns are one more. */
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
