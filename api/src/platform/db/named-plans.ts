import type pg from 'pg';

/**
 * For the embedded database: a statement with a name has one plan for all values. PGlite would plan a statement over
 * partitions at each run, which takes longer than the run; a search, which has no name, is faster with a plan for its
 * values.
 */
export function keepNamedPlans(client: pg.ClientBase): void {
  const query = client.query;
  let mode = '';
  client.query = ((first: unknown, ...rest: unknown[]) => {
    const { name, text = first } = (first ?? {}) as { name?: string; text?: unknown };
    const wanted = name === undefined ? 'auto' : 'force_generic_plan';
    // A rollback takes back what was set in the transaction.
    if (text === 'rollback') mode = '';
    else if (wanted !== mode) {
      mode = wanted;
      Reflect.apply(query, client, [`set plan_cache_mode = ${wanted}`, () => undefined]);
    }
    return Reflect.apply(query, client, [first, ...rest]);
  }) as typeof query;
}
