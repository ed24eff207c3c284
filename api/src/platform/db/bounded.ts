/** Bounds of queries on this side: the server's `statement_timeout` does not end one on a connection that was cut. */
import pg from 'pg';
import { watchQueries } from './watch-queries';

/** What `pg` reads before each query; its types do not have it. */
type Inner = { connectionParameters: { query_timeout?: number }; connection: { stream: { destroy(): void } } };
const inner = (client: pg.ClientBase): Inner => client as unknown as Inner;

/** How much longer this side waits than the server, so that a slow statement is the server's to end. */
const MARGIN_MS = 3000;

/** Connections that `boundQueries` watches; the embedded database's is not one. */
const watched = new WeakSet<pg.ClientBase>();
const setBound = (client: pg.ClientBase, ms: number): void => {
  if (watched.has(client)) inner(client).connectionParameters.query_timeout = ms + MARGIN_MS;
};

export const clientIn = (all: Set<pg.ClientBase>) =>
  class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      all.add(this);
      this.once('end', () => all.delete(this));
    }
  };

export const cut = (client: pg.ClientBase): void => inner(client).connection.stream.destroy();

/** Ends a connection whose query has no answer in time, and the idle ones, which are as old and probably cut too. */
export function boundQueries(pool: pg.Pool, ms: number): void {
  const idle = new Set<pg.ClientBase>();
  pool.on('connect', (client) => {
    watched.add(client);
    setBound(client, ms);
    watchQueries(client, () => (error) => {
      if (!(error instanceof Error && error.message === 'Query read timeout')) return;
      cut(client);
      idle.forEach(cut);
    });
  });
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('release', (error, client) => {
    // `longStatements` is over.
    setBound(client, ms);
    if (!error) idle.add(client);
  });
  pool.on('remove', (client) => idle.delete(client));
}

/** Allows the statements of this transaction `ms` each, instead of the server's usual few seconds. */
export async function longStatements(client: pg.PoolClient, ms: number): Promise<void> {
  setBound(client, ms);
  await client.query(`set local statement_timeout to ${ms}`);
}
