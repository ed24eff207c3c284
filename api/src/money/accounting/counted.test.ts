/** What upstreams say that they counted, in the answers of the real pools' programs. */
import { databaseOfFile, emptyTables } from '../../platform/db/testing/test-database';
import { startHttp } from '../../testing/http-server';
import { addDays, startOfDay } from '../../platform/days';
import { readCounted } from './counted';
import { upstreamDays } from './upstream-days';

const DAY = '2026-11-25';
const MIDNIGHT = startOfDay(addDays(DAY, 1));
const UPSTREAM = 'pool.example:3333 bc1qpool';
const source = (url: string) => ({ algorithm: 'SHA256_ASICBOOST' as const, upstream: UPSTREAM, url });

const database = databaseOfFile();
let url: string;
let close: () => void;
let answer: unknown;
beforeAll(async () => {
  ({ url, close } = await startHttp((_, response) => response.end(JSON.stringify(answer))));
});
afterAll(() => close());
beforeEach(async () => {
  await emptyTables(database);
  for (const day of [DAY, addDays(DAY, 1)])
    await database.pool.query("insert into upstream_day values ($1, 'SHA256_ASICBOOST', $2, 90, 100, 9, 9)", [
      day,
      UPSTREAM,
    ]);
});

const at = async (now: number, said: unknown, from = url): Promise<void> => {
  answer = said;
  await readCounted(database.pool, source(from), now);
};
const counted = async () => (await upstreamDays(database.pool, DAY)).map((row) => row.counted).reverse();

/** Ckpool's file of a user (users/<name>), and public-pool's chart of an address and of a worker. */
const user = (shares: number) => ({
  hashrate1m: '1.2T',
  hashrate1d: '1.1T',
  lastshare: 1,
  workers: 1,
  shares,
  worker: [],
});
const chart = (slots: [at: number, work: number][]) =>
  slots.map(([time, work]) => ({ label: new Date(time * 1000).toISOString(), data: (work * 2 ** 32) / 600 }));

it('ckpool: a total, of which a day has its part', async () => {
  await at(MIDNIGHT - 86_460, user(1000));
  await at(MIDNIGHT - 86_340, user(1020));
  await at(MIDNIGHT - 43_200, user(5000));
  await at(MIDNIGHT - 30, user(9010));
  expect(await counted()).toEqual([null, null]);
  await at(MIDNIGHT + 30, user(9030));
  // Half of the 20 before its begin are of the day before, half of those at its end of the day after.
  expect(await counted()).toEqual([9020 - 1010, null]);
});

it.each([
  ['an address', (slots: [number, number][]) => chart(slots)],
  ['a worker', (slots: [number, number][]) => ({ name: 'rig', bestDifficulty: 1, chartData: chart(slots) })],
])('public-pool: the chart of %s, by the slots that are complete', async (_, shape) => {
  const begin = MIDNIGHT - 86_400;
  await at(begin - 400, shape([[begin - 1200, 7]]));
  await at(
    begin + 1000,
    shape([
      [begin - 600, 5],
      [begin, 3],
      [begin + 600, 1],
    ]),
  );
  await at(
    begin + 1400,
    shape([
      [begin, 3],
      [begin + 600, 4],
    ]),
  );
  for (let hour = 1; hour < 24; hour += 8) await at(begin + 3600 * hour, shape([]));
  await at(MIDNIGHT + 60, shape([[MIDNIGHT - 600, 2]]));
  expect(await counted()).toEqual([null, null]);
  await at(
    MIDNIGHT + 130,
    shape([
      [MIDNIGHT - 600, 6],
      [MIDNIGHT, 50],
    ]),
  );
  expect(await counted()).toEqual([13, null]);
});

it.each<[string, (begin: number) => Promise<void>]>([
  [
    'asked again after more than half a day',
    async (begin) => {
      await at(begin, user(100));
      await at(MIDNIGHT - 30_000, user(200));
    },
  ],
  [
    'counting from the beginning again',
    async (begin) => {
      await at(begin, user(100));
      await at(MIDNIGHT - 43_200, user(5));
    },
  ],
  [
    'another address',
    async (begin) => {
      await at(begin, user(100));
      await at(MIDNIGHT - 43_200, user(150), `${url}/other`);
    },
  ],
])('%s: that day has no figure, the next one has', async (_, begins) => {
  await begins(MIDNIGHT - 86_400);
  const { rows } = await database.pool.query<{ url: string }>("select value->>'url' as url from setting");
  const from = rows[0]?.url;
  await at(MIDNIGHT - 60, user(1000), from);
  await at(MIDNIGHT, user(1000), from);
  await at(MIDNIGHT + 43_200, user(1500), from);
  await at(MIDNIGHT + 86_400, user(2000), from);
  expect(await counted()).toEqual([null, 1000]);
});

it('an answer that says nothing of it is refused, and what was read stays', async () => {
  await at(MIDNIGHT - 86_400, user(10));
  for (const said of [{}, { shares: '12' }, { workersCount: 1, workers: [] }, '<html>', null])
    await expect(at(MIDNIGHT - 60_000, said)).rejects.toThrow();
  await at(MIDNIGHT - 43_200, user(30));
  await at(MIDNIGHT, user(40));
  expect(await counted()).toEqual([30, null]);
});
