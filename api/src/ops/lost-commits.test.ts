/**
 * Counted shares that the database loses: a real standby takes over without the last commits, or a real PostgreSQL is
 * put back to an older copy of its files. Nobody has to say so.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { Registry } from 'prom-client';
import { openDatabase, type Database } from '../platform/db/database';
import { insertUsers } from '../platform/db/testing/test-database';
import { startLink } from '../platform/db/testing/link';
import { startCluster, type Cluster } from '../platform/db/testing/postgres';
import { eventually } from '../testing/eventually';
import { ShareIngest } from '../mining/shares/ingest';
import { COUNTED } from '../mining/shares/journal/kept-segments';
import { newFolder } from '../testing/folder';

const AT = Math.floor(Date.now() / 60_000) * 60_000;
let folder: string;
let cluster: Cluster;
let database: Database;
let ingest: ShareIngest;
let metrics: Registry;
/** Run when ingest and database are closed. */
let cleanUps: (() => Promise<void>)[];

const openIngest = (of = database): Promise<ShareIngest> => {
  metrics = new Registry();
  return ShareIngest.open({
    pool: of.pool,
    folder,
    log: pino({ level: 'silent' }),
    flushMs: 3_600_000,
    keepCounted: true,
    metrics,
  });
};
const lost = async (): Promise<unknown> =>
  (await metrics.getSingleMetric('ingest_lost_segments_total')?.get())?.values[0]?.value;

beforeEach(async () => {
  cleanUps = [];
  folder = newFolder();
  cluster = await startCluster();
  database = await openDatabase({ url: cluster.url });
  await insertUsers(database, 'alice');
  ingest = await openIngest();
});
afterEach(async () => {
  await ingest.stop();
  await database.close();
  for (const cleanUp of cleanUps) await cleanUp();
  await cluster.remove();
});

/** One acknowledged and counted share. */
async function mine(worker: string): Promise<void> {
  void ingest.share({ subAccountId: 1, algorithm: 'SCRYPT', worker, difficulty: 1, outcome: 'accepted', at: AT });
  expect(await ingest.uncounted()).toEqual([]);
}

async function counted({ pool } = database): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ name: string; n: number }>(
    `select w.name, sum(d.shares)::int as n from share_1d d join worker w on w.id = d.worker_id group by 1 order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
}

const folderOf = ({ url }: Cluster): string => decodeURIComponent(new URL(url).searchParams.get('host') ?? '');

const answers = (): Promise<unknown> =>
  eventually(
    () =>
      database.pool.query('select').then(
        () => true,
        () => false,
      ),
    'the database',
  );

it('a standby takes over without the last commits: they are counted again, once, while shares go on', async () => {
  // One address for whichever cluster is in charge, as an operator's virtual address is.
  const address = await startLink(cluster.url);
  await ingest.stop();
  await database.close();
  database = await openDatabase({ url: address.url });
  ingest = await openIngest();
  const standby = await cluster.standby();
  cleanUps.push(address.close, standby.remove);
  await mine('before');
  await eventually(async () => {
    const { rows } = await database.pool.query(
      'select from pg_stat_replication where replay_lsn >= pg_current_wal_insert_lsn()',
    );
    return rows.length === 1;
  }, 'the standby to have it');
  await standby.halt();
  await mine('lost-1');
  await mine('lost-2');
  await cluster.crash();
  await standby.start();
  await standby.promote();
  address.lead(standby.url);
  await answers();
  expect(await counted()).toEqual({ before: 1 });
  expect(await lost()).toBe(0);
  await mine('after');
  expect(await counted()).toEqual({ before: 1, 'lost-1': 1, 'lost-2': 1, after: 1 });
  expect(await lost()).toBe(2);
  await mine('later');
  expect(await counted()).toEqual({ before: 1, 'lost-1': 1, 'lost-2': 1, after: 1, later: 1 });
});

it('an older copy of the files is put back while the server is stopped: what it lacks is counted at the next start', async () => {
  const data = join(folderOf(cluster), 'data');
  await mine('before');
  await cluster.halt();
  execFileSync('cp', ['-a', data, `${data}.copy`]);
  await cluster.start();
  await answers();
  await mine('lost');
  await ingest.stop();
  await database.close();
  await cluster.halt();
  rmSync(data, { recursive: true });
  execFileSync('cp', ['-a', `${data}.copy`, data]);
  await cluster.start();
  database = await openDatabase({ url: cluster.url });
  expect(await counted()).toEqual({ before: 1 });
  ingest = await openIngest();
  await mine('after');
  expect(await counted()).toEqual({ before: 1, lost: 1, after: 1 });

  // What was counted is kept for two hours.
  const kept = join(folder, COUNTED);
  const [old = '', ...more] = readdirSync(kept);
  const longAgo = new Date(Date.now() - 2 * 3_600_000 - 1000);
  utimesSync(join(kept, old), longAgo, longAgo);
  await ingest.flush();
  expect(readdirSync(kept)).toEqual(more);
});
