import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { ROOT } from '../../root';
import { inSession } from './connect';
import { spreadNew } from './distributed';
import { hasRow, oneValue, type Querier, valuesOf } from './querier';
import { DatabaseRefused } from './away';

export const migrationsFolder = join(ROOT, 'api/src/platform/db/migrations');
export const migrationNames = (): string[] =>
  readdirSync(migrationsFolder)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -4))
    .sort();
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

/** Runs the migrations that the database has not had, all or none. Refuses one that a newer version has changed. */
export async function runMigrations(client: Querier): Promise<void> {
  const known = migrationNames();
  if (await hasRow(client)`select where to_regclass('drizzle.__drizzle_migrations') is not null`)
    throw new DatabaseRefused('A build before 1.0.0 has made this database. Start with a new one: nothing reads it.');
  await client.query('begin');
  try {
    await client.query(
      'create schema if not exists migration; ' +
        'create table if not exists migration.applied (name text primary key, at timestamptz not null default now())',
    );
    const applied = new Set(await valuesOf<string>(client)`select name from migration.applied`);
    if ([...applied].some((name) => !known.includes(name)))
      throw new DatabaseRefused(
        'A newer version of the pool has changed this database, and this version does not know its tables. ' +
          'Start that version again, or restore the backup from before the upgrade (npm run restore).',
      );
    for (const name of known.filter((each) => !applied.has(each))) {
      await client.query(readFileSync(join(migrationsFolder, `${name}.sql`), 'utf8'));
      await client.query('insert into migration.applied (name) values ($1)', [name]);
    }
    await client.query('select ensure_partitions()');
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Refuses an encoding that has no letters for some of the pool's languages. */
async function refuseEncoding(client: pg.Client): Promise<void> {
  const encoding = await oneValue<string>(client)`show server_encoding`;
  if (encoding !== 'UTF8')
    throw new DatabaseRefused(
      `The encoding of the database is ${encoding}, and the pool's texts need UTF8. Make one with it: ` +
        "create database pool encoding 'UTF8' template template0.",
    );
}

const waitedForLock = (error: unknown): boolean => error instanceof pg.DatabaseError && HELD.includes(error.code ?? '');

/** Open transactions of others in this database, the oldest first: one of them holds what a migration needs. */
async function describeOthers(client: pg.Client): Promise<string> {
  const others = await valuesOf<string>(client)`
    select concat('pid ', pid, ' (', coalesce(nullif(application_name, ''), usename), ', open for ',
      extract(epoch from now() - xact_start)::int, ' s)')
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 5`;
  return others.join(', ') || 'none is open any more';
}

/** Brings the database to the newest version, one process at a time. Throws `DatabaseRefused` when it cannot. */
export async function migrateTo(
  connection: pg.ClientConfig,
  { lockTimeoutMs = 3000, tries = 10, pauseMs = 2000, say = () => undefined }: MigrateOptions = {},
): Promise<void> {
  await inSession(connection, async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await refuseEncoding(client);
    await client.query("set timezone to 'UTC'");
    await client.query(`set lock_timeout to ${lockTimeoutMs}`);
    for (let left = tries - 1; ; left -= 1) {
      try {
        await runMigrations(client);
        await spreadNew(client);
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
  });
}
