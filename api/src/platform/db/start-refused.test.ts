/** Databases that this version cannot use as they are: each is refused with a sentence that says what to do. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { adminText, server } from '../../ops/testing/product';
import { openDatabase } from './database';
import { EMBEDDED_MAJOR } from './embedded';
import { migrateTo } from './migrate';
import { DatabaseRefused } from './away';
import { connectTo, startCluster, type Cluster } from './testing/postgres';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'refused-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The server, and the command line, say this of the folder and end. */
async function refusedWith(sentence: RegExp): Promise<void> {
  await expect(server({ DATA_DIR: folder })).rejects.toThrow(sentence);
  await expect(adminText({ DATA_DIR: folder }, 'list-users')).rejects.toThrow(sentence);
}

it('a newer schema is refused with a sentence, by the server and by the command line', async () => {
  const newer = await openDatabase({ folder: join(folder, 'db') });
  // The version that folders are compared with is that of the embedded database.
  const { rows } = await newer.pool.query<{ server_version: string }>('show server_version');
  expect(rows[0]?.server_version.split('.')[0]).toBe(EMBEDDED_MAJOR);
  await newer.pool.query("insert into migration.applied (name) values ('9999_of_tomorrow')");
  await newer.close();
  await refusedWith(/^A newer version of the pool has changed this database/);
});

it('a folder of an older embedded database is refused with what reads it', async () => {
  mkdirSync(join(folder, 'db', 'data'), { recursive: true });
  writeFileSync(join(folder, 'db', 'complete'), '');
  writeFileSync(join(folder, 'db', 'data', 'PG_VERSION'), '17\n');
  await refusedWith(/is a database of PostgreSQL 17; .* Start the version of the pool that made it/);
});

describe('on PostgreSQL, a migration', () => {
  let cluster: Cluster;
  let reader: pg.Client;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  /** A new database, and a reader that does not end. */
  beforeEach(async () => {
    const client = await connectTo(cluster.url);
    await client.query(
      `drop schema public cascade; drop schema if exists migration cascade; create schema public; create schema migration;
       create table migration.applied (name text, at timestamptz)`,
    );
    await client.end();
    reader = new pg.Client({ connectionString: cluster.url, application_name: 'long report' });
    await reader.connect();
    await reader.query('begin; lock table migration.applied');
  });
  const connection = () => ({ connectionString: cluster.url });

  it('a database whose encoding has no Cyrillic or Arabic letters is refused', async () => {
    const client = await connectTo(cluster.url);
    await client.query("create database latin encoding 'LATIN1' template template0");
    await client.end();
    const latin = new URL(cluster.url);
    latin.pathname = '/latin';
    await expect(migrateTo({ connectionString: latin.href })).rejects.toThrow(
      'The encoding of the database is LATIN1, and',
    );
    await reader.end();
  });

  it('that meets a long transaction holds nobody up for longer than its lock timeout, names who is in the way, and gives up', async () => {
    const said: string[] = [];
    const refused = await migrateTo(connection(), {
      lockTimeoutMs: 100,
      tries: 3,
      pauseMs: 10,
      say: (message) => said.push(message),
    }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DatabaseRefused);
    expect((refused as Error).message).toMatch(/hold its tables: pid \d+ \(long report, open for \d+ s\).*Nothing was/);
    expect(said).toHaveLength(2);
    await reader.end();
    await migrateTo(connection());
  });

  it('that meets a long transaction goes on as soon as the reader has ended', async () => {
    let tries = 0;
    await migrateTo(connection(), {
      lockTimeoutMs: 100,
      tries: 100,
      pauseMs: 10,
      say: () => {
        tries += 1;
        void reader.end();
      },
    });
    expect(tries).toBeGreaterThan(0);
  });
});
