/**
 * The database becomes unavailable under load and comes back (security.md, faults), with a real PostgreSQL. HEAVY=1:
 * for 60 s.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Miner } from '../../../e2e/miner/miner';
import { openDatabase } from '../platform/db/database';
import { segmentsIn } from '../mining/shares/journal/journal-folder';
import { startCluster, type Cluster } from '../platform/db/testing/postgres';
import type { Running } from '../app/start';
import { startBuiltinPool, type BuiltinPool } from '../stratum/builtin-pool';
import { eventually } from '../testing/eventually';
import { fill, PASSWORD, server } from './testing/product';

const DOWN_MS = process.env.HEAVY ? 60_000 : 1000;
const BACK_WITHIN_MS = 5000;

let folder: string;
let cluster: Cluster;
let upstream: BuiltinPool;
let running: Running | undefined;
let miner: Miner | undefined;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'faults-'));
  cluster = await startCluster();
  upstream = await startBuiltinPool({ algorithm: 'SHA256_ASICBOOST', blockMs: [500, 1500] });
});
afterAll(async () => {
  miner?.stop();
  await running?.stop();
  await upstream.stop();
  await cluster.remove();
  rmSync(folder, { recursive: true, force: true });
});

it('database away in the middle of a transaction: only its caller gets an error', async () => {
  const database = await openDatabase({ url: cluster.url });
  const client = await database.pool.connect();
  await client.query('begin');
  await cluster.halt();
  // The connection notices the loss while no query is running on it.
  await eventually(
    () =>
      client.query('select 1').then(
        () => false,
        () => true,
      ),
    'the loss',
  );
  client.release(true);
  await cluster.start();
  await eventually(
    () =>
      database.pool.query('select 1').then(
        () => true,
        () => false,
      ),
    'a new connection',
  );
  await database.close();
});

it(
  'database away: 503 with Retry-After, alive but not ready; back at once; no share is lost, none counts twice',
  async () => {
    const seed = await openDatabase({ url: cluster.url });
    await fill(seed);
    await seed.pool.query('delete from account_1d');
    await seed.pool.query('delete from share_1d');
    await seed.close();
    running = await server({
      DATA_DIR: folder,
      DATABASE_URL: cluster.url,
      UPSTREAM_SHA256: upstream.target.url.replace('://', '://bench:x@'),
    });
    const { url, stratum } = running;
    const get = async (path: string, token?: string) => {
      const answer = await fetch(url + path, { headers: token ? { authorization: `Bearer ${token}` } : {} });
      return { status: answer.status, retry: answer.headers.get('retry-after'), body: await answer.text() };
    };
    const signIn = async (): Promise<string> => {
      const answer = await fetch(`${url}/__clerk/v1/client/sign_ins`, {
        method: 'POST',
        headers: { origin: url },
        body: new URLSearchParams({ identifier: 'alice', password: PASSWORD, strategy: 'password' }),
      });
      return (
        ((await answer.json()) as { client: { sessions: { last_active_token: { jwt: string } }[] } }).client.sessions[0]
          ?.last_active_token.jwt ?? ''
      );
    };
    const digger = (miner = new Miner({
      host: '127.0.0.1',
      port: stratum[0]?.port ?? 0,
      user: 'alice.rig-1',
      algorithm: 'sha256',
      hashrate: 8000,
      rate: 40,
    }).start());
    await eventually(() => digger.accepted > 20, 'shares');
    const token = await signIn();
    expect((await get('/api/payment/', token)).status).toBe(200);

    await cluster.halt();
    const downUntil = Date.now() + DOWN_MS;
    const before = digger.accepted;
    expect(await get('/api/payment/', token)).toMatchObject({
      status: 503,
      retry: '5',
      body: expect.stringContaining('"database_unavailable"'),
    });
    let looks = 0;
    while (Date.now() < downUntil || looks < 6) {
      expect((await get('/health')).status).toBe(200);
      expect((await get('/ready')).status).toBe(503);
      // The token may have expired in the meantime; no other error is allowed.
      expect([401, 503]).toContain((await get('/api/payment/', token)).status);
      looks += 1;
    }
    // Mining continued, acknowledged by the journal. Few shares: after a burst the proxy gives a higher difficulty.
    await eventually(() => digger.accepted > before + 2, 'shares while the database is away');
    expect(digger.disconnects).toBe(0);

    await cluster.start();
    await eventually(async () => (await get('/ready')).status === 200, 'ready again', BACK_WITHIN_MS);
    const again = await signIn();
    expect((await get('/api/payment/', again)).status).toBe(200);

    const back = digger.accepted;
    await eventually(() => digger.accepted > back + 2, 'shares afterwards');
    digger.stop();
    await running.stop();
    running = undefined;
    expect(segmentsIn(join(folder, 'journal'))).toEqual([]);
    const after = await openDatabase({ url: cluster.url });
    for (const table of ['account_1d', 'share_1d']) {
      const {
        rows: [row],
      } = await after.pool.query<{ shares: number }>(`select sum(shares)::int as shares from ${table}`);
      expect(row?.shares).toBeGreaterThanOrEqual(digger.accepted);
      expect(row?.shares).toBeLessThanOrEqual(digger.accepted + digger.unanswered);
    }
    await after.close();
  },
  240_000 + DOWN_MS,
);
