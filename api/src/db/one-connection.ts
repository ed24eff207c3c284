import type pg from 'pg';

/** What `pg` has and its types do not. */
type Inner = { connection: { stream: { cork(): void; uncork(): void } } };

/** Queries that go over the connection together. */
type Turn = { client: Promise<pg.PoolClient>; left: number; error?: Error };

/**
 * For a pool of one connection, whose clients have `pipeline`: queries that wait for the connection are sent in one
 * write, and answered in one. Each is a transaction of its own, as before.
 */
export function sendTogether(pool: pg.Pool): void {
  let waiting: Turn | null = null;
  const next = (): Turn => {
    const turn: Turn = { client: pool.connect(), left: 0 };
    const begin = (client?: pg.PoolClient): void => {
      waiting = null;
      if (!client) return;
      const { stream } = (client as unknown as Inner).connection;
      stream.cork();
      // All of the turn send theirs in the promises' next steps.
      process.nextTick(() => stream.uncork());
    };
    turn.client.then(begin, () => begin());
    return turn;
  };
  pool.query = (async (...args: unknown[]) => {
    const turn = (waiting ??= next());
    turn.left += 1;
    const client = await turn.client;
    try {
      return await (Reflect.apply(client.query, client, args) as Promise<unknown>);
    } catch (error) {
      turn.error = error as Error;
      throw error;
    } finally {
      turn.left -= 1;
      // After an error the connection is replaced, as `pg` does.
      if (turn.left === 0) client.release(turn.error);
    }
  }) as typeof pool.query;
}
