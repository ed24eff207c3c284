import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';
import { transaction } from '../platform/db/transaction';
import { oneValue } from '../platform/db/querier';

/** Key of the advisory lock; the others are in db/. */
const KEY = 7022;
const RETRY_MS = 100;

/** Mutex of nodes that start together and make keys and settings; its lock is a transaction's (db/pooler.ts). */
export const exclusively = <T>(pool: Pool, work: () => Promise<T>): Promise<T> =>
  transaction(pool, async (client) => {
    await client.query('set local idle_in_transaction_session_timeout to 0');
    while (!(await oneValue<boolean>(client)`select pg_try_advisory_xact_lock(${KEY})`)) await setTimeout(RETRY_MS);
    return work();
  });
