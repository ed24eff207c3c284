/** A pool moves from one kind of database into the other by one command, with the same ledger and rows. */
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import pg from 'pg';
import { openDatabase, type Database } from '../platform/db/database';
import { startCluster, type Cluster } from '../platform/db/testing/postgres';
import { seedDemo } from '../demo';
import type * as Fleet from '../demo/fleet';
import { seedMoney } from '../demo/money';
import { poolAccounts } from '../identity/pool-accounts';
import { Bus } from '../platform/bus';
import { wrongBalances } from '../money/ledger/ledger';
import { lockFolder } from '../platform/lock';
import { openPayments } from '../money/payouts/open-payments';
import type { Running } from '../app/start';
import { ledgerHash } from './ledger-hash';
import { PASSWORD, fill, script, server, signIn } from './testing/product';

// One large rig in place of many: rows in the same tables, in less time.
jest.mock('../demo/fleet', () => {
  const { FLEET, ...fleet } = jest.requireActual<typeof Fleet>('../demo/fleet');
  const large = FLEET.filter((_, i) => i % 25 === 0).map((rig) => ({ ...rig, hashrate: 25 * rig.hashrate }));
  return { ...fleet, FLEET: large };
});

let folder: string;
let cluster: Cluster;
let running: Running | undefined;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.remove());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'move-'));
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** A hash of the rows of every table, and where every sequence goes on. */
async function contents({ pool }: Database): Promise<Record<string, unknown>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  const found: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query(
      `select count(*) as rows, md5(coalesce(string_agg(t::text, ',' order by t::text collate "C"), '')) as hash
       from "${name}" t`,
    );
    found[name] = rows[0];
  }
  const { rows: sequences } = await pool.query<{ name: string; last: number }>(
    "select sequencename as name, last_value as last from pg_sequences where schemaname = 'public'",
  );
  for (const { name, last } of sequences) found[name] = last;
  return found;
}

it('embedded to PostgreSQL and back: every row, sequence and the ledger hash are the same, and the pool goes on', async () => {
  const data = join(folder, 'data');
  const env = { DATA_DIR: data, DATABASE_URL: cluster.url };
  const first = await openDatabase({ folder: join(data, 'db') });
  await seedDemo({
    pool: first.pool,
    accounts: poolAccounts(first.pool, new Bus()),
    password: PASSWORD,
    say: () => undefined,
  }).then((since) => seedMoney(first.pool, { poolFeePercent: 1.5 }, since));
  await openPayments(first.pool, Date.now() / 1000);
  // Values that a copy could change on its way, and work older than any partition of a new database.
  await first.pool.query(
    `insert into audit (action, subject, before, after) values ('x', E'a\\\\b\\n"{},NULL', 'null', '{"n": 1.10}');
     insert into account_10m (sub_account_id, algorithm, at, accepted, shares)
     values (1, 'SCRYPT', now() - interval '39 days', 0.1::float8 + 0.2, 1)`,
  );
  const before = await contents(first);
  const ledger = (await ledgerHash(first.pool)).hash;
  await first.close();

  // A running server holds it so.
  const lock = await lockFolder(data);
  expect(await script('admin', ['move-database', 'postgresql'], env)).toMatchObject({
    code: 1,
    err: expect.stringContaining('in use by another process'),
  });
  lock.release();

  const moved = await script('admin', ['move-database', 'postgresql'], env);
  expect(moved).toMatchObject({ code: 0, err: '', out: expect.stringContaining(ledger) });
  expect(existsSync(join(data, 'db'))).toBe(false);
  expect(readdirSync(data).filter((name) => name.startsWith('db.moved-'))).toHaveLength(1);
  const there = await openDatabase({ url: cluster.url });
  expect((await ledgerHash(there.pool)).hash).toBe(ledger);
  expect(await contents(there)).toEqual(before);
  expect(await wrongBalances(there.pool)).toBe(0);
  await expect(there.pool.query('delete from ledger')).rejects.toThrow('append-only');
  await expect(there.pool.query('insert into worker (sub_account_id, name) values (999999, 1)')).rejects.toThrow();
  await there.close();
  expect(await script('admin', ['move-database', 'postgresql'], env)).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no embedded database'),
  });

  running = await server(env);
  expect(await signIn(running.url, 'demo', PASSWORD)).toBe(200);
  await running.stop();
  running = undefined;
  const again = await openDatabase({ url: cluster.url });
  const afterRun = await contents(again);
  await again.close();

  const back = await script('admin', ['move-database', 'embedded'], env);
  expect(back).toMatchObject({ code: 0, err: '', out: expect.stringContaining(ledger) });
  const home = await openDatabase({ folder: join(data, 'db') });
  expect((await ledgerHash(home.pool)).hash).toBe(ledger);
  expect(await contents(home)).toEqual(afterRun);
  await home.close();
});

it('refuses a PostgreSQL that has a pool, and leaves both as they were', async () => {
  const data = join(folder, 'data');
  const url = cluster.url.replace('/postgres?', '/other?');
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  await client.query('create database other');
  await client.end();
  for (const options of [{ url }, { folder: join(data, 'db') }]) {
    const database = await openDatabase(options);
    await fill(database);
    await database.close();
  }
  const env = { DATA_DIR: data, DATABASE_URL: url };
  expect(await script('admin', ['move-database', 'postgresql'], env)).toMatchObject({
    code: 1,
    err: expect.stringContaining('has a pool in it already'),
  });
  expect(existsSync(join(data, 'db', 'complete'))).toBe(true);
});

it('brings an embedded database of another PGlite forward, and keeps the old folder', async () => {
  const data = join(folder, 'data');
  const database = await openDatabase({ folder: join(data, 'db') });
  await fill(database);
  const ledger = (await ledgerHash(database.pool)).hash;
  await database.close();
  // The installed one stands for the older one, which no registry gives to a test: it is named in the same way.
  const engine = dirname(dirname(createRequire(__filename).resolve('@electric-sql/pglite')));
  expect(await script('admin', ['upgrade-database', folder], { DATA_DIR: data })).toMatchObject({
    code: 1,
    err: expect.stringContaining('is not the folder of a package'),
  });
  expect(await script('admin', ['upgrade-database', engine], { DATA_DIR: data })).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining(ledger),
  });
  const aside = readdirSync(data).filter((name) => name.startsWith('db.before-upgrade-'));
  expect(aside).toHaveLength(1);
  renameSync(join(data, 'db'), join(data, 'db.new'));
  renameSync(join(data, aside[0] ?? ''), join(data, 'db'));
  const kept = await openDatabase({ folder: join(data, 'db') });
  expect((await ledgerHash(kept.pool)).hash).toBe(ledger);
  await kept.close();
});
