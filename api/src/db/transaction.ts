import type { Pool, PoolClient } from 'pg';

/**
 * Runs `work` in one transaction of plain SQL. Use only the client inside: the embedded database has no second
 * connection.
 */
export async function transaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Runs `work` in a transaction that is always rolled back: what it would do, by the code that does it. */
export async function rolledBack<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    return await work(client);
  } finally {
    await client.query('rollback').then(
      () => client.release(),
      (error: Error) => client.release(error),
    );
  }
}

/** Advisory locks: one holder at a time, released with the transaction. 7011 is the audit chain's (a trigger's). */
export const LOCKS = { closing: 7003, referral: 7004, payouts: 7005, editing: 7010, alerts: 7040 } as const;
export const lock = (client: PoolClient, name: keyof typeof LOCKS): Promise<unknown> =>
  client.query('select pg_advisory_xact_lock($1)', [LOCKS[name]]);
