/** A PostgreSQL that is away at the start or later, and a stop while it is silent (security.md, faults). */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Miner } from '../../../e2e/miner/miner';
import { connectDatabase, openDatabase } from '../platform/db/database';
import { startLink, type Link } from '../platform/db/testing/link';
import { startCluster, type Cluster } from '../platform/db/testing/postgres';
import type { Running } from '../app/start';
import { SNAPSHOT_FILE } from '../mining/upstreams/snapshot';
import { segmentsIn } from '../mining/shares/journal/journal-folder';
import { startBuiltinPool, type BuiltinPool } from '../stratum/builtin-pool';
import { eventually } from '../testing/eventually';
import { startMiner } from '../testing/miner';
import { askSignIn, fill, PASSWORD, server } from './testing/product';
import { newFolder } from '../testing/folder';

const SOON_MS = 60_000;
const folder = newFolder();
let cluster: Cluster;
let link: Link | undefined;
let upstream: BuiltinPool;
let own: BuiltinPool;
let running: Running | undefined;
const miners: Miner[] = [];

beforeAll(async () => {
  cluster = await startCluster();
  upstream = await startBuiltinPool({ algorithm: 'SHA256_ASICBOOST' });
  own = await startBuiltinPool({ algorithm: 'SHA256_ASICBOOST' });
  const seed = await openDatabase({ url: cluster.url });
  await fill(seed);
  await seed.pool.query('delete from account_1d');
  // A second account, with an upstream pool of its own.
  await seed.pool.query("insert into sub_account (id, user_id, name) values (20, 1, 'bob')");
  await seed.pool.query(
    `insert into pool_config (id, user_id, name, algorithm, url, user_name)
     values (30, 1, 'mine', 'SHA256_ASICBOOST', $1, 'bob')`,
    [own.target.url],
  );
  await seed.pool.query(
    `insert into sub_account_pool_config (sub_account_id, pool_config_id, algorithm, priority, enabled)
     values (20, 30, 'SHA256_ASICBOOST', 1, true)`,
  );
  await seed.close();
});
afterAll(async () => {
  for (const miner of miners) miner.stop();
  await running?.stop();
  await upstream.stop();
  await own.stop();
  await link?.close();
  await cluster.remove();
});

const STOP_PATIENCE_MS = 2000;
const startServer = async (url = cluster.url): Promise<Running> =>
  (running = await server(
    {
      DATA_DIR: folder,
      DATABASE_URL: url,
      UPSTREAM_ALLOW: 'private',
      UPSTREAM_SHA256: upstream.target.url.replace('://', '://bench:x@'),
    },
    STOP_PATIENCE_MS,
  ));
const stopServer = async (): Promise<void> => {
  await running?.stop();
  running = undefined;
};
const mine = (user: string): Miner => {
  const miner = startMiner(running?.stratum[0]?.port ?? 0, user, 40);
  miners.push(miner);
  return miner;
};
const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${running?.url}${path}`, { headers });
  return { status: answer.status, retry: answer.headers.get('retry-after'), body: await answer.text() };
};
const isReady = async (): Promise<boolean> =>
  get('/ready').then(
    ({ status }) => status === 200,
    () => false,
  );

it('nothing is asked of a database before its migrations', async () => {
  const { pool, migrate, close } = await connectDatabase({ url: cluster.url });
  await expect(pool.query('select 1')).rejects.toThrow('was not reached yet');
  await expect(pool.connect()).rejects.toThrow('was not reached yet');
  await migrate();
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await close();
});

it('database away in the middle of a transaction: only its caller gets an error', async () => {
  const { pool, close } = await openDatabase({ url: cluster.url });
  const works = (asked: Promise<unknown>): Promise<boolean> =>
    asked.then(
      () => true,
      () => false,
    );
  const client = await pool.connect();
  await client.query('begin');
  await cluster.halt();
  // The connection notices the loss while no query is running on it.
  await eventually(async () => !(await works(client.query('select 1'))), 'the loss');
  client.release(true);
  await cluster.start();
  await eventually(() => works(pool.query('select 1')), 'a new connection');
  await close();
});

it('while the database is away: miners mine by what is known of it, the rest says 503 and starts with it', async () => {
  await startServer();
  await eventually(() => existsSync(join(folder, SNAPSHOT_FILE)), 'the snapshot', SOON_MS);
  await stopServer();
  await cluster.halt();

  const { away } = await startServer();
  expect(away).toContain('cannot be used');
  expect((await get('/health')).status).toBe(200);
  expect(await get('/ready')).toMatchObject({
    status: 503,
    body: JSON.stringify({ ready: false, hindrances: ['database'] }),
  });
  expect(await get('/api/payment/')).toMatchObject({
    status: 503,
    retry: '5',
    body: expect.stringContaining('"database_unavailable"'),
  });
  const page = await get('/dashboard/', { accept: 'text/html' });
  expect([page.status, page.retry]).toEqual([503, '5']);
  for (const language of ['en', 'ru', 'fr', 'ar']) expect(page.body).toContain(`<p lang="${language}"`);
  expect((await get('/metrics')).body).toContain('ingest_seconds_since_counted');

  const alice = mine('alice.rig-1');
  const bob = mine('bob.rig-2');
  const stranger = mine('nobody.rig-3');
  await eventually(() => alice.accepted > 20 && bob.accepted > 20, 'shares', SOON_MS);
  expect(stranger.accepted).toBe(0);
  expect(own.connections()).toBe(1);

  await cluster.start();
  await eventually(isReady, 'ready', SOON_MS);
  const token = await eventually(
    async () => /"jwt":"([^"]+)"/.exec(await (await askSignIn(running?.url ?? '', 'alice', PASSWORD)).text())?.[1],
    'a sign-in',
  );
  const payments = () => get('/api/payment/', { authorization: `Bearer ${token}` });
  expect((await payments()).status).toBe(200);

  // It goes away while it is used.
  await cluster.halt();
  const before = alice.accepted;
  expect(await payments()).toMatchObject({
    status: 503,
    retry: '5',
    body: expect.stringContaining('"database_unavailable"'),
  });
  expect([(await get('/health')).status, (await get('/ready')).status]).toEqual([200, 503]);
  // Few shares: after a burst the proxy gives a higher difficulty.
  await eventually(() => alice.accepted > before + 2, 'shares while it is away');
  expect([alice.disconnects, bob.disconnects]).toEqual([0, 0]);
  await cluster.start();
  await eventually(isReady, 'ready again', SOON_MS);
  expect((await payments()).status).toBe(200);
  alice.stop();
  // A closed account is not let in by the snapshot either.
  const beside = await openDatabase({ url: cluster.url });
  await beside.pool.query("update sub_account set deleted_at = now() where name = 'bob'");
  await eventually(() => bob.disconnects > 0, 'the end of its connection', SOON_MS);
  bob.stop();
  await eventually(() => !readFileSync(join(folder, SNAPSHOT_FILE), 'utf8').includes('"bob"'), 'the file', SOON_MS);
  await stopServer();
  expect(segmentsIn(join(folder, 'journal'))).toEqual([]);
  const { rows } = await beside.pool.query<{ name: string; shares: number; own: number }>(
    `select s.name, sum(shares)::int as shares, sum(own_shares)::int as own
     from account_1d join sub_account s on s.id = sub_account_id group by 1 order by 1`,
  );
  await beside.close();
  const [ofAlice, ofBob] = rows;
  expect(ofAlice).toMatchObject({ name: 'alice', own: 0 });
  expect(ofAlice?.shares).toBeGreaterThanOrEqual(alice.accepted);
  expect(ofAlice?.shares).toBeLessThanOrEqual(alice.accepted + alice.unanswered);
  expect(ofBob).toMatchObject({ name: 'bob', shares: 0 });
  expect(ofBob?.own).toBeGreaterThanOrEqual(bob.accepted);
});

it('a snapshot of another database, or a broken one, lets nobody in: the start says what to do', async () => {
  const file = join(folder, SNAPSHOT_FILE);
  const kept = readFileSync(file, 'utf8');
  const text = JSON.stringify({ ...(JSON.parse(kept) as object), database: 'elsewhere/pool' });
  await cluster.halt();
  for (const wrong of [text, kept.slice(0, -10)]) {
    writeFileSync(file, wrong);
    await expect(startServer()).rejects.toThrow('Start it, or correct DATABASE_URL');
  }
  writeFileSync(file, kept);
  await cluster.start();
});

it('a stop while the database is silent: within its bound, and what is not counted stays in the journal', async () => {
  link = await startLink(cluster.url);
  await startServer(link.url);
  const alice = mine('alice.rig-5');
  await eventually(() => alice.accepted > 5, 'shares', SOON_MS);
  link.cut('new');
  const before = alice.accepted;
  await eventually(() => alice.accepted > before + 5, 'shares while the database is silent', SOON_MS);
  alice.stop();
  const began = performance.now();
  await stopServer();
  // The patience with the database, on a machine that does nothing else.
  expect(performance.now() - began).toBeLessThan(30_000);
  expect(segmentsIn(join(folder, 'journal'))).not.toEqual([]);
});
