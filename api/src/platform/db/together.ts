import { Pool } from 'pg';
import { type Querier, rowsOf, type Sql } from './querier';
import { transaction } from './transaction';

/** Selects that are read together, by the name of their rows. */
export type Selects<T> = { [K in keyof T]: Sql };

const ONE_MOMENT = 'set transaction isolation level repeatable read, read only';

/**
 * Rows of several selects, columns as in code, of one moment where `db` is a pool. They are sent at once and planned one
 * by one: as one statement a Citus plans them anew each time (docs/adr/0037-distributed.md).
 */
export async function together<T extends Record<string, object>>(
  db: Querier,
  statement: string,
  selects: Selects<T>,
): Promise<{ [K in keyof T]: T[K][] }> {
  const ask = async (client: Querier) => {
    const parts = Object.entries<Sql>(selects).map(async ([name, { text, values }]) => {
      return [name, await rowsOf<T[keyof T]>(client, text, values, `${statement}-${name}`)];
    });
    return Object.fromEntries(await Promise.all(parts)) as { [K in keyof T]: T[K][] };
  };
  if (!(db instanceof Pool)) return ask(db);
  return transaction(db, async (client) => {
    const [, rows] = await Promise.all([client.query(ONE_MOMENT), ask(client)]);
    return rows;
  });
}
