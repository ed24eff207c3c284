import type pg from 'pg';

/** Plans a named statement once on the embedded database: PGlite plans longer than it runs. */
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
