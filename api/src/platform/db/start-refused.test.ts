/** Databases that this version cannot use as they are: each is refused with a sentence that says what to do. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { adminText, server } from '../../ops/testing/product';
import { migrateTo } from './migrate';
import { DatabaseRefused } from './away';
import { postgresOfFile } from './testing/test-database';

const database = postgresOfFile(2);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'refused-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The server, and the command line, say this and end. */
async function refusedWith(sentence: RegExp, env: Record<string, string> = {}): Promise<void> {
  await expect(server({ DATA_DIR: folder, ...env })).rejects.toThrow(sentence);
  await expect(adminText({ DATA_DIR: folder, ...env }, 'list-users')).rejects.toThrow(sentence);
}

it('a newer schema is refused with a sentence, by the server and by the command line', async () => {
  await database.pool.query("insert into migration.applied (name) values ('9999_of_tomorrow')");
  await refusedWith(/^A newer version of the pool has changed this database/, { DATABASE_URL: database.url });
});

it('a folder of an older embedded database is refused with what reads it', async () => {
  mkdirSync(join(folder, 'db', 'data'), { recursive: true });
  writeFileSync(join(folder, 'db', 'complete'), '');
  writeFileSync(join(folder, 'db', 'data', 'PG_VERSION'), '17\n');
  await refusedWith(/is a database of PostgreSQL 17; .* Start the version of the pool that made it/);
});

it('a database whose encoding has no Cyrillic or Arabic letters is refused', async () => {
  const latin = new URL(database.url);
  latin.pathname += '_latin';
  const name = latin.pathname.slice(1);
  await database.pool.query(`create database ${name} encoding 'LATIN1' template template0`);
  await expect(migrateTo({ connectionString: latin.href })).rejects.toThrow(
    'The encoding of the database is LATIN1, and',
  );
  await database.pool.query(`drop database ${name}`);
});

it('a migration that meets a long transaction holds nobody up, names who is in the way and gives up; without it, it is done', async () => {
  await database.pool.query(
    `drop schema public, migration cascade; create schema public; create schema migration;
     create table migration.applied (name text, at timestamptz)`,
  );
  const reader = new pg.Client({ connectionString: database.url, application_name: 'long report' });
  await reader.connect();
  await reader.query('begin; lock table migration.applied');
  const migrate = (tries: number, say: (message: string) => void): Promise<void> =>
    migrateTo({ connectionString: database.url }, { lockTimeoutMs: 100, tries, pauseMs: 10, say });
  const said: string[] = [];
  const refused = await migrate(3, (message) => said.push(message)).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(DatabaseRefused);
  expect((refused as Error).message).toMatch(/hold its tables: pid \d+ \(long report, open for \d+ s\).*Nothing was/);
  expect(said).toHaveLength(2);
  await migrate(100, () => void reader.end());
});
