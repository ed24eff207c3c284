import type pg from 'pg';

/** What `pg` has and its types do not. */
type Inner = { connection: { stream: { cork(): void; uncork(): void } } };

type Batch = { client: Promise<pg.PoolClient>; left: number; error?: Error };

/** Queries that wait for a pool's only connection are sent in one write, each a transaction of its own. */
export function sendTogether(pool: pg.Pool): void {
  let waiting: Batch | null = null;
  const next = (): Batch => {
    const batch: Batch = { client: pool.connect(), left: 0 };
    const begin = (client?: pg.PoolClient): void => {
      waiting = null;
      if (!client) return;
      const { stream } = (client as unknown as Inner).connection;
      stream.cork();
      // All queries of the batch are sent in the promises' next steps.
      process.nextTick(() => stream.uncork());
    };
    batch.client.then(begin, () => begin());
    return batch;
  };
  pool.query = (async (...args: unknown[]) => {
    const batch = (waiting ??= next());
    batch.left += 1;
    const client = await batch.client;
    try {
      return await (Reflect.apply(client.query, client, args) as Promise<unknown>);
    } catch (error) {
      batch.error = error as Error;
      throw error;
    } finally {
      batch.left -= 1;
      // After an error the connection is replaced, as `pg` does.
      if (batch.left === 0) client.release(batch.error);
    }
  }) as typeof pool.query;
}
