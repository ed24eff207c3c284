/** Connections to the database that stay open and carry nothing, as after a failover without a word. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { Registry } from 'prom-client';
import { openDatabase, type Database } from '../../platform/db/database';
import { startLink, type Link } from '../../platform/db/testing/link';
import { postgresDatabase } from '../../platform/db/testing/postgres';
import { insertUsers } from '../../platform/db/testing/test-database';
import { transaction } from '../../platform/db/transaction';
import { eventually } from '../../testing/eventually';
import { ShareIngest } from './ingest';

const STATEMENT_MS = 300;
const CONNECT_MS = 800;
const FLUSH_MS = 100;
let link: Link;
/** Connection over the link. */
let database: Database;
/** Connection that does not go over the link. */
let direct: Database & { url: string };
let folder: string;
let ingest: ShareIngest;
const metrics = new Registry();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
  direct = await postgresDatabase();
  link = await startLink(direct.url);
  await insertUsers(direct, 'alice');
  database = await openDatabase({ url: link.url, connectMs: CONNECT_MS, statementMs: STATEMENT_MS });
  ingest = await ShareIngest.open({
    pool: database.pool,
    folder,
    log: pino({ level: 'silent' }),
    flushMs: FLUSH_MS,
    metrics,
  });
});
afterAll(async () => {
  link.mend();
  database.abandon();
  await ingest.stop();
  await database.close();
  await direct.close();
  await link.close();
  rmSync(folder, { recursive: true, force: true });
});

const mine = (shares: number): void => {
  for (let n = 0; n < shares; n += 1)
    void ingest.share({
      subAccountId: 1,
      algorithm: 'SCRYPT',
      worker: `rig-${n % 3}`,
      difficulty: 1,
      outcome: 'accepted',
      at: Date.now(),
    });
};
const counted = async (): Promise<number> => {
  const { rows } = await direct.pool.query<{ n: number }>('select coalesce(sum(shares), 0)::int as n from account_1d');
  return rows[0]?.n ?? 0;
};
const sinceCounted = async (): Promise<number> =>
  (await metrics.getMetricsAsJSON()).find(({ name }) => name === 'ingest_seconds_since_counted')?.values[0]?.value ??
  NaN;

it('connections that are cut without a word: all counts once over new ones, and no old one is used again', async () => {
  const pids = async (): Promise<number[]> =>
    (
      await Promise.all(
        Array.from({ length: 4 }, () => database.pool.query('select pg_backend_pid() as pid, pg_sleep(0.05)')),
      )
    ).map(({ rows }) => (rows[0] as { pid: number }).pid);
  const before = await pids();
  mine(30);
  await eventually(async () => (await counted()) === 30, 'the first shares');
  await expect(
    transaction(database.pool, async (client) => {
      link.cut();
      mine(30);
      await client.query('select 1');
    }),
  ).rejects.toThrow();
  await eventually(async () => (await counted()) === 60, 'the shares after the cut');
  expect(await sinceCounted()).toBeLessThan(60);
  await eventually(() => readdirSync(folder).length === 0, 'an empty journal');
  expect(await counted()).toBe(60);
  const after = await pids();
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
});

it('a database that is silent for new connections too: the server says so, and all is counted afterwards', async () => {
  const before = await counted();
  expect(await ingest.troubles()).toEqual([]);
  link.cut('new');
  mine(10);
  // A minute later.
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
  expect(await ingest.troubles()).toEqual(['counting']);
  expect(await sinceCounted()).toBeGreaterThan(60);
  clock.mockRestore();
  expect(await counted()).toBe(before);
  mine(10);
  // Callers that wait for counting, as closing a day does, are answered.
  expect(await ingest.uncounted()).toMatchObject([{ why: 'waiting', lines: 20 }]);
  link.mend();
  await eventually(async () => (await counted()) === before + 20, 'all shares');
  await eventually(async () => (await ingest.troubles()).length === 0, 'the readiness');
});
