import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';

/** Key of the advisory lock; the others are in db/. */
const KEY = 7022;
const RETRY_MS = 100;

/** Nodes that start together take turns at what the first of them makes: keys, settings. */
export async function inTurn<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failed: Error | undefined;
  const ask = async (statement: string): Promise<boolean> =>
    (await client.query<{ done: boolean }>(`select ${statement}($1) as done`, [KEY])).rows[0]?.done ?? false;
  try {
    while (!(await ask('pg_try_advisory_lock'))) await setTimeout(RETRY_MS);
    return await work();
  } finally {
    await ask('pg_advisory_unlock').catch((error: Error) => {
      failed = error;
    });
    client.release(failed);
  }
}
