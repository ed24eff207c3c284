import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import { ROOT } from '../root';
import { connect } from './connect';
import { DatabaseRefused } from './refused';

export const migrationsFolder = join(ROOT, 'api/src/db/migrations');
const LOCK = 7000;
/** Lock not available, deadlock. */
const HELD = ['55P03', '40P01'];

export type MigrateOptions = {
  /** A statement waits this long for a lock: whoever needs the table meanwhile waits behind it. */
  lockTimeoutMs?: number;
  /** Number of tries before the migration is given up, and the wait between two of them. */
  tries?: number;
  pauseMs?: number;
  say?: (message: string) => void;
};

/** Refuses a database that a newer version of the program has migrated: this one does not know its tables. */
async function refuseNewer(client: pg.Client): Promise<void> {
  const {
    rows: [table],
  } = await client.query<{ exists: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as exists",
  );
  if (!table?.exists) return;
  const {
    rows: [last],
  } = await client.query<{ at: string | null }>('select max(created_at)::text as at from drizzle.__drizzle_migrations');
  const known = Math.max(...readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis));
  if (Number(last?.at ?? 0) > known)
    throw new DatabaseRefused(
      'A newer version of the pool has changed this database, and this version does not know its tables. ' +
        'Start that version again, or restore the backup from before the upgrade (npm run restore).',
    );
}

/** Refuses an encoding that has no letters for some of the pool's languages. */
async function refuseEncoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('show server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding !== 'UTF8')
    throw new DatabaseRefused(
      `The encoding of the database is ${encoding}, and the pool's texts need UTF8. Make one with it: ` +
        "create database pool encoding 'UTF8' template template0.",
    );
}

const waitedForLock = (error: unknown): boolean => {
  for (let cause = error as { code?: string; cause?: unknown } | undefined; cause; cause = cause.cause as typeof cause)
    if (cause.code !== undefined && HELD.includes(cause.code)) return true;
  return false;
};

/** Open transactions of others in this database, the oldest first: one of them holds what a migration needs. */
async function describeOthers(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ who: string }>(
    `select concat('pid ', pid, ' (', coalesce(nullif(application_name, ''), usename), ', open for ',
       extract(epoch from now() - xact_start)::int, ' s)') as who
     from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
     order by xact_start limit 5`,
  );
  return rows.map(({ who }) => who).join(', ') || 'none is open any more';
}

/** The rest of 0396_account_keys for large tables, while the build before goes on counting. */
async function keyShares(client: pg.Client, say: (message: string) => void): Promise<void> {
  const { rows } = await client.query(
    "select pg_size_pretty(sum(pg_relation_size(oid))) as size from pg_class where relkind = 'r' and relname ~ '^share_1' having to_regclass('share_1d_key') is null",
  );
  if (!rows[0]) return;
  say(`The tables of shares (${rows[0].size}) get keys by account, which takes up to a minute for each 150 MB.`);
  await client.query('call key_shares_by_account(true)');
  await client.query('select drop_keys_by_worker()');
}

/**
 * Brings the database to the newest version; processes that start together take turns. Throws `DatabaseRefused` when
 * it is of a newer version, or when others hold its tables for longer than all tries.
 */
export async function migrateTo(
  connection: pg.ClientConfig,
  { lockTimeoutMs = 3000, tries = 10, pauseMs = 2000, say = () => undefined }: MigrateOptions = {},
): Promise<void> {
  const client = await connect(connection);
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await refuseEncoding(client);
    await refuseNewer(client);
    await client.query("set timezone to 'UTC'");
    await client.query(`set lock_timeout to ${lockTimeoutMs}`);
    for (let left = tries - 1; ; left -= 1) {
      try {
        await migrate(drizzle(client), { migrationsFolder });
        await keyShares(client, say);
        await client.query('select ensure_partitions()');
        break;
      } catch (error) {
        if (!waitedForLock(error)) throw error;
        const others = await describeOthers(client);
        if (left <= 0)
          throw new DatabaseRefused(
            `The database could not be brought to this version: transactions of others hold its tables: ${others}. ` +
              'Nothing was changed. End them (select pg_terminate_backend(pid)) and start again.',
            { cause: error },
          );
        say(`The database's tables are held by others: ${others}. It is tried ${left} times more.`);
        await setTimeout(pauseMs);
      }
    }
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
  } finally {
    await client.end();
  }
}
