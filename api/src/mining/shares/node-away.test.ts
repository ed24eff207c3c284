/** A node of a Citus is away: its accounts' shares wait and their pages say so; the others go on. Needs TEST_CITUS. */
import { readdirSync } from 'node:fs';
import pino from 'pino';
import { type Person, testApp, type TestApp } from '../../http/testing/test-app';
import { noteNodeAway, runAlerts } from '../../alerts/engine';
import { ShareIngest } from './ingest';
import { newFolder } from '../../testing/folder';

const onCitus = process.env.TEST_CITUS ? it : it.skip;
const AT = Math.floor(Date.now() / 60_000) * 60_000 - 60_000;
/** On this port of this machine nobody listens. */
const NOBODY = 1;

/** What a page of an account asks; `ID`: one of its workers. */
const PAGES = [
  'liveWorkers/',
  'proxyHashchart/?historyTimeframe=d1',
  'proxyLiveHashchart/',
  'getLiveHashrates/',
  'workerGroups/',
  'workerJoins',
  'timeline',
  'timeline?worker=ID',
  'farmEvents',
  'payment/',
  'workers/ID/hashchart',
  'workers/ID/uptime',
];

type Farm = { id: number; owner: Person; port: number };
let test: TestApp;
const folder = newFolder();

/** Where the coordinator looks for a node from now on; it has no connection to that place. */
const move = (from: number, to: number) =>
  test.rows('update pg_dist_node set nodeport = $2 where nodeport = $1', [from, to]);
const counted = async ({ id }: Farm): Promise<number[]> => {
  const [row] = await test.rows<{ n: number }>(
    'select coalesce(sum(shares), 0)::int as n from account_1d where sub_account_id = $1',
    [id],
  );
  const [workers] = await test.rows<{ n: number }>(
    'select coalesce(sum(shares), 0)::int as n from share_1d where sub_account_id = $1',
    [id],
  );
  return [row?.n ?? 0, workers?.n ?? 0];
};

beforeAll(async () => {
  if (!process.env.TEST_CITUS) return;
  test = await testApp();
});
afterAll(async () => {
  if (!process.env.TEST_CITUS) return;
  await test.close();
});

/** Farms of two owners, on two nodes. */
async function farmsApart(): Promise<[Farm, Farm]> {
  const farms: Farm[] = [];
  for (let n = 0; n < 20; n += 1) {
    const owner = await test.person(`farm-${n}`);
    const [place] = await test.rows<{ id: number; port: number }>(
      `select s.id, n.nodeport as port
       from sub_account s
         join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('worker', s.id)
         join pg_dist_node n using (groupid)
       where s.user_id = $1`,
      [owner.userId],
    );
    if (place) farms.push({ owner, ...place });
    const [first] = farms;
    const other = farms.find(({ port }) => port !== first?.port);
    if (first && other) return [first, other];
  }
  throw new Error('all accounts are on one node');
}

onCitus('a node that is away costs its accounts their pages, and no share of anybody', async () => {
  const [here, away] = await farmsApart();
  const ingest = await ShareIngest.open({
    pool: test.database.pool,
    folder,
    log: pino({ level: 'silent' }),
    flushMs: 3_600_000,
  });
  const mine = async (...farms: Farm[]): Promise<void> => {
    for (const { id } of farms)
      void ingest.share({
        ...{ subAccountId: id, algorithm: 'SHA256_ASICBOOST', worker: 'rig', difficulty: 1 },
        ...{ outcome: 'accepted', at: AT },
      });
    await ingest.flush();
  };
  const ids = new Map<Farm, number>();
  const pages = async (farm: Farm): Promise<Set<string>> => {
    const said = new Set<string>();
    for (const page of PAGES) {
      const { status, code } = await farm.owner.call(`/api/${page.replace('ID', String(ids.get(farm)))}`);
      said.add(code === undefined ? `${status}` : `${status} ${code}`);
    }
    return said;
  };
  await mine(here, away);
  expect([await counted(here), await counted(away)]).toEqual([
    [1, 1],
    [1, 1],
  ]);

  for (const farm of [here, away]) {
    const [rig] = await test.rows<{ id: number }>('select id from worker where sub_account_id = $1', [farm.id]);
    ids.set(farm, rig?.id ?? 0);
  }
  await runAlerts(test.database.pool, AT / 1000);

  await move(away.port, NOBODY);
  await mine(here, away);
  await mine(away);
  await mine(here);
  expect(await counted(here)).toEqual([3, 3]);
  expect(await test.rows('select sum(shares)::int as n from account_1d where sub_account_id = $1', [away.id])).toEqual([
    { n: 1 },
  ]);
  expect((await ingest.uncounted()).map(({ why, lines }) => [why, lines])).toEqual([['waiting', 3]]);
  expect(await pages(here)).toEqual(new Set(['200']));
  expect(await pages(away)).toEqual(new Set(['503 database_unavailable']));

  // Alerts of all wait; the pool was there meanwhile.
  const now = AT / 1000 + 3600;
  await expect(runAlerts(test.database.pool, now)).rejects.toThrow('Connection refused');
  await noteNodeAway(test.database.pool, now);

  await move(NOBODY, away.port);
  await ingest.flush();
  expect([await counted(here), await counted(away)]).toEqual([
    [3, 3],
    [3, 3],
  ]);
  expect(await ingest.uncounted()).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
  expect(await pages(away)).toEqual(new Set(['200']));
  await runAlerts(test.database.pool, now + 60);
  expect(await test.rows('select why from pool_outage')).toEqual([]);
  await ingest.stop();
});
