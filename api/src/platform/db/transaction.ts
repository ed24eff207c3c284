import type { Pool, PoolClient } from 'pg';
import { inTime } from '../in-time';
import { type Querier, sql } from './querier';

type Afterwards = (pool: Querier) => void;
/** What waits for the end of each transaction that is open. */
const waiting = new WeakMap<Querier, Afterwards[]>();

/** Does it once the transaction of `db` is committed, with its pool; at once outside of one, never after a rollback. */
export function afterCommit(db: Querier, work: Afterwards): void {
  const works = waiting.get(db);
  if (works) works.push(work);
  else work(db);
}

/** Runs work in a transaction: one that is committed, or one that only shows what the work does (`rolledBack`). */
export type Run = <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>;

/** Runs `work` in one transaction, with this client only: the embedded database has no second connection. */
export async function transaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  commit: (client: PoolClient) => Promise<unknown> = (client) => client.query('commit'),
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  waiting.set(client, []);
  try {
    await client.query('begin');
    const result = await work(client);
    await commit(client);
    for (const each of waiting.get(client) ?? []) each(pool);
    return result;
  } catch (error) {
    // Its commit still waits: a rollback would wait behind it.
    if (error instanceof NotReplicated) broken = error;
    else
      await client.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
    throw error;
  } finally {
    waiting.delete(client);
    client.release(broken);
  }
}

/** Makes the commit wait for the standby that `synchronous_standby_names` demands, if there is one. */
const DURABLE = `
  select set_config('synchronous_commit', 'on', true)
  where current_setting('synchronous_commit') in ('off', 'local', 'remote_write')`;

/** The transaction is committed on the server, but no standby has confirmed it: a failover may lose it. */
class NotReplicated extends Error {
  override readonly name = 'NotReplicated';
  readonly code = 'NOT_REPLICATED';
}

/** No server-side timeout ends a COMMIT that waits for a standby. It takes no longer than a statement may. */
const COMMIT_WAIT_MS = 5000;
/** SQLSTATE of a plain warning: with it COMMIT says that somebody has ended its wait. */
const WARNING = '01000';

async function commitReplicated(client: PoolClient, waitMs: number): Promise<void> {
  let warned = false;
  const heard = ({ code }: { code?: string }): void => {
    warned ||= code === WARNING;
  };
  client.on('notice', heard);
  const committed = client.query('commit');
  // After the timeout its connection is closed, which nobody else hears of.
  committed.catch(() => undefined);
  try {
    await inTime(committed, waitMs, new NotReplicated('no standby has confirmed the commit'));
  } finally {
    client.off('notice', heard);
  }
  if (warned) throw new NotReplicated('the wait for a standby was ended');
}

/** A transaction of money, which survives a failover. Throws `NotReplicated` when no standby confirms it. */
export const moneyTransaction = <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> =>
  transaction(
    pool,
    async (client) => {
      await client.query(DURABLE);
      return work(client);
    },
    (client) => commitReplicated(client, pool.options.statement_timeout || COMMIT_WAIT_MS),
  );

/** Runs `work` in a transaction that is always rolled back: what it would do, by the code that does it. */
export const rolledBack = <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> =>
  transaction(pool, work, (client) => {
    waiting.delete(client);
    return client.query('rollback');
  });

/** Advisory locks: one holder at a time, released with the transaction. 7011 is the audit chain's (a trigger's). */
export const LOCKS = {
  closing: 7003,
  referral: 7004,
  payouts: 7005,
  editing: 7010,
  /** Held by the node that opens the data, while others that start wait. */
  starting: 7022,
  alerts: 7040,
  presence: 7041,
  counting: 7042,
} as const;
export const lock = (client: PoolClient, name: keyof typeof LOCKS): Promise<unknown> =>
  client.query(sql`select pg_advisory_xact_lock(${LOCKS[name]})`);
/** Held by many at once, and by nobody while one has the lock. */
export const lockShared = (client: PoolClient, name: keyof typeof LOCKS): Promise<unknown> =>
  client.query(sql`select pg_advisory_xact_lock_shared(${LOCKS[name]})`);
