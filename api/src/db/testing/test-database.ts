/**
 * A database for a test file: new, migrated, in memory, through the same driver as in production. With
 * TEST_DATABASE_URL (a PostgreSQL that allows creating databases) it is a new database there instead.
 */
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { openDatabase, type Database } from '../database';
import { migrationsFolder } from '../migrate';
import { TYPESCRIPT } from '../../testing/typescript';

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const cache = join(here, '../../../../.cache/test-database');

/** Dump of an empty migrated database, made once for each state of the migrations. */
async function templateFile(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of readdirSync(migrationsFolder)
    .filter((f) => f.endsWith('.sql'))
    .sort())
    hash.update(name).update(readFileSync(join(migrationsFolder, name)));
  const file = join(cache, `${hash.digest('hex').slice(0, 16)}.tar`);
  if (existsSync(file)) return file;
  await run(process.execPath, [...TYPESCRIPT, join(here, 'make-template.ts'), file]);
  return file;
}

async function onPostgres(url: string): Promise<Database> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const administer = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await administer(`create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const database = await openDatabase({ url: own.href });
  return {
    ...database,
    close: async () => {
      await database.close();
      await administer(`drop database ${name}`);
    },
  };
}

/** `const database = await testDatabase()` in beforeAll, `await database.close()` in afterAll. About a second. */
export async function testDatabase(): Promise<Database> {
  const url = process.env.TEST_DATABASE_URL;
  return url ? onPostgres(url) : openDatabase({ template: await templateFile() });
}

/** Empties every table (the append-only ones too), faster than a new database. */
export async function emptyTables({ pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ names: string }>(
    `select string_agg(quote_ident(tablename), ', ') as names from pg_tables
     where schemaname = 'public' and tablename !~ '_([0-9]{8}|default)$'`,
  );
  // In one batch on one connection: triggers are off only within it.
  await pool.query(
    `set session_replication_role to replica;
     truncate ${rows[0]?.names ?? ''} restart identity cascade;
     set session_replication_role to origin`,
  );
}
