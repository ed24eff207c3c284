import { sql } from 'drizzle-orm';
import type { DbOrTx } from './database';
import type { Querier } from './querier';

/** Plain SQL with `$1` in a transaction of drizzle's. */
export const querierOf = (tx: DbOrTx): Querier => ({
  query: (async (text: string, values: readonly unknown[] = []) =>
    tx.execute(
      sql.join(
        // Every other part is the number of a value.
        text.split(/\$(\d+)/).map((part, index) => (index % 2 ? sql.param(values[Number(part) - 1]) : sql.raw(part))),
      ),
    )) as Querier['query'],
});
