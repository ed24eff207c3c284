import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { ROOT } from '../config';

export const migrationsFolder = join(ROOT, 'api/src/db/migrations');
const LOCK = 7000;

/** Brings the database to the newest version; processes that start together take turns. */
export async function migrateTo(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query("set timezone to 'UTC'");
    await migrate(drizzle(client), { migrationsFolder });
    await client.query('select ensure_partitions()');
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
  } finally {
    await client.end();
  }
}
