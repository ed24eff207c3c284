/** What others say: prices, the network's difficulty, and what upstreams say that they counted. */
import { databaseOfFile, emptyTables } from '../../platform/db/testing/test-database';
import { addDays, startOfDay } from '../../platform/days';
import { createLog } from '../../platform/log';
import { startHttp } from '../../testing/http-server';
import { bitcoinPrice, pricesOf } from './prices';
import { readPrices, startPriceSource } from './price-source';
import { unreadEntries } from './unread';
import type { RequestListener } from 'node:http';
import type { Pool } from 'pg';
import { eventually } from '../../testing/eventually';
import { readNetwork, startNetworkFeed } from './network-feed';
import { readCounted } from './counted';
import { upstreamDays } from './upstream-days';

const database = databaseOfFile();
const NOW = startOfDay('2026-11-20') + 3600;
const GOOD = { btcPriceUsd: 97_000, prices: { SHA256_ASICBOOST: 0.0005, SCRYPT: 0.009 } };

describe('price source', () => {
  let url: string;
  let close: () => void;
  let body = '';
  beforeAll(async () => {
    ({ url, close } = await startHttp((_, response) => {
      response.setHeader('content-type', 'application/json').end(body);
    }));
  });
  afterAll(() => close());

  const taken = async () => (await readPrices(database.pool, url, NOW)).taken;

  it('stores good prices, rejects bad ones, and marks old ones as stale', async () => {
    body = JSON.stringify(GOOD);
    expect(await taken()).toEqual(['SHA256_ASICBOOST', 'SCRYPT']);
    const good = await pricesOf(database.pool, '2026-11-20');
    expect(good.SCRYPT).toMatchObject({ priceBtc: 0.009, btcPriceUsd: 97_000, source: 'source' });
    for (const bad of [0, -1, 1e12, 0.0005 * 4, 0.0005 / 4]) {
      body = JSON.stringify({ ...GOOD, prices: { SHA256_ASICBOOST: bad, SCRYPT: bad } });
      expect(await taken()).toEqual([]);
    }
    body = JSON.stringify({ ...GOOD, btcPriceUsd: 1 });
    expect(await taken()).toEqual([]);
    for (const text of ['', 'no', '{"btcPriceUsd":"97000","prices":{}}', `"${'x'.repeat(70_000)}"`]) {
      body = text;
      await expect(readPrices(database.pool, url, NOW)).rejects.toThrow();
    }
    expect(await pricesOf(database.pool, '2026-11-20')).toEqual(good);
    expect(await bitcoinPrice(database.pool, NOW + 2 * 86_400)).toMatchObject({ price: 97_000, stale: false });
    expect(await bitcoinPrice(database.pool, NOW + 3 * 86_400)).toMatchObject({ price: 97_000, stale: true });
  });

  it.each<[what: string, said: string, taken: string[], unread: string[]]>([
    [
      'null',
      '{"btcPriceUsd":97000,"prices":{"SHA256_ASICBOOST":0.0005,"SCRYPT":null}}',
      ['SHA256_ASICBOOST'],
      ['SCRYPT'],
    ],
    ['nothing', '{"btcPriceUsd":97000,"prices":{"SCRYPT":0.009}}', ['SCRYPT'], ['SHA256_ASICBOOST']],
    [
      'no price of bitcoin',
      JSON.stringify({ ...GOOD, btcPriceUsd: null }),
      ['SHA256_ASICBOOST', 'SCRYPT'],
      ['bitcoin'],
    ],
    ['<html>', '<html>', [], ['SCRYPT', 'bitcoin', 'SHA256_ASICBOOST']],
  ])('an odd entry spoils no other: %s', async (_, said, good, unread) => {
    await database.pool.query("delete from setting where name like 'feed.%'");
    body = said;
    const log = createLog('silent');
    for (const at of [NOW, NOW + 600]) {
      await startPriceSource({ pool: database.pool, url, log, now: () => at }).stop();
      if (good.length > 0) expect(await taken()).toEqual(good);
      const since = new Date(NOW * 1000).toISOString();
      expect(await unreadEntries(database.pool, at)).toEqual(unread.map((entry) => ({ entry, since })));
    }
    expect(await unreadEntries(database.pool, NOW + 7200)).toEqual([]);
  });

  it('does not overwrite a price set by hand', async () => {
    await database.pool.query(
      "update day_price set source = 'manual', price_btc = 0.0006 where algorithm = 'SHA256_ASICBOOST'",
    );
    body = JSON.stringify(GOOD);
    await readPrices(database.pool, url, NOW);
    expect((await pricesOf(database.pool, '2026-11-20')).SHA256_ASICBOOST).toMatchObject({
      priceBtc: 0.0006,
      source: 'manual',
    });
  });
});

describe("the network's difficulty, of a server that may lie, hang or talk without end", () => {
  const NOW = Date.parse('2026-11-25T12:00:00Z') / 1000;
  const CHANGE = { difficultyChange: -3.25, estimatedRetargetDate: (NOW + 86_400) * 1000, remainingBlocks: 150 };
  const HASHRATE = { currentDifficulty: 1.5e14, currentHashrate: 1e21, hashrates: [], difficulty: [] };

  let url: string;
  let close: () => void;
  let answer: RequestListener;
  const json = (change: object, hashrate: object | undefined = HASHRATE, blocks?: object): RequestListener => {
    const bodies: Record<string, object | undefined> = {
      '/api/v1/difficulty-adjustment': change,
      '/api/v1/mining/hashrate/3d': blocks ? undefined : hashrate,
      '/api/v1/blocks': blocks,
    };
    return ({ url: path = '' }, response) => {
      const body = bodies[path];
      response.writeHead(body ? 200 : 404).end(JSON.stringify(body ?? {}));
    };
  };
  beforeAll(async () => {
    ({ url, close } = await startHttp((request, response) => answer(request, response)));
  });
  beforeEach(() => {
    answer = json(CHANGE);
  });
  afterAll(() => close());

  const NOTHING: [what: string, answer: RequestListener][] = [
    ['no JSON', (_, response) => response.end('<html>')],
    ['nothing', () => undefined],
    ['words without end', (_, response) => void response.write(' '.repeat(100_000))],
  ];
  const read = (value: object) => ({ status: 'fulfilled', value });
  const DIFFICULTY = read({ difficulty: 1.5e14 });
  const NEXT = read({ changePercent: -3.25, changeAt: '2026-11-26T12:00:00.000Z', remainingBlocks: 150 });

  it('says the difficulty and the estimate of its next change', async () => {
    expect(await readNetwork(`${url}/`, NOW)).toEqual({ difficulty: DIFFICULTY, change: NEXT });
  });

  it('mempool without its index of hashrates says the difficulty with its blocks', async () => {
    answer = json(CHANGE, undefined, [{ difficulty: 1.5e14 }, { difficulty: 1.4e14 }]);
    expect(await readNetwork(url, NOW)).toEqual({ difficulty: DIFFICULTY, change: NEXT });
  });

  const NONE = expect.objectContaining({ status: 'rejected' }) as object;
  const NEITHER = { difficulty: NONE, change: NONE };
  it.each<[what: string, answer: RequestListener, said: object]>([
    ['a change that cannot be', json({ ...CHANGE, difficultyChange: 9000 }), { difficulty: DIFFICULTY, change: NONE }],
    ['a difficulty that is no number', json(CHANGE, { currentDifficulty: 'x' }), { difficulty: NONE, change: NEXT }],
    ...NOTHING.map(([what, next]) => [what, next, NEITHER] as [string, RequestListener, object]),
  ])('takes only what can be from a feed that says %s', async (_, next, said) => {
    answer = next;
    const timeoutMs = said === NEITHER ? 100 : undefined;
    expect(await readNetwork(url, NOW, timeoutMs)).toEqual(said);
  });

  it('keeps what it said last, with its time', async () => {
    const pool = { connect: async () => Promise.reject(new Error('away')) } as unknown as Pool;
    const feed = startNetworkFeed({ pool, url, log: createLog('silent'), now: () => NOW });
    expect((await eventually(() => feed.last() ?? undefined, 'the first answer')).at).toBe('2026-11-25T12:00:00.000Z');
    await feed.stop();
  });
});

describe('what upstreams say that they counted, in the answers of the real pools’ programs', () => {
  const DAY = '2026-11-25';
  const MIDNIGHT = startOfDay(addDays(DAY, 1));
  const UPSTREAM = 'pool.example:3333 bc1qpool';
  const source = (url: string) => ({ algorithm: 'SHA256_ASICBOOST' as const, upstream: UPSTREAM, url });

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
});
