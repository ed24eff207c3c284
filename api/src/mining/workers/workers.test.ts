import type { Pool } from 'pg';
import { countWorkers, hashrateOfWork } from '@pool/shared/domain';
import { emptyTables, insertUsers, databaseOfFile } from '../../platform/db/testing/test-database';
import { windows } from '../shares/charts/windows';
import { countWork } from '../shares/testing/count-work';
import { parseSort, sorted } from './list-order';
import { WorkerLists } from './workers';
import { eventually } from '../../testing/eventually';

const A = 'SHA256_ASICBOOST';
const HOUR = 3600;
/** A quarter past an hour. */
const NOW = Math.floor(Date.now() / 1000 / HOUR) * HOUR + 900;
/** Work of a worker at full speed for one minute. */
const MINUTE = 60_000;
const FULL = hashrateOfWork(A, MINUTE, 60);

const database = databaseOfFile();

describe('worker lists', () => {
  let pool: Pool;

  const count = (
    worker: string,
    minutes: number[],
    accepted = MINUTE,
    rest: { stale?: number; rejected?: number; subAccountId?: number } = {},
  ) =>
    countWork(
      pool,
      minutes.map((ago) => ({ worker, at: NOW - (NOW % 60) - ago * 60, span: 60, accepted, ...rest })),
    );
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

  beforeAll(async () => {
    ({ pool } = database);
    await insertUsers(database, 'alice', 'bob');
    await count('steady', range(0, 1450));
    await count('weak', range(60, 1450));
    await count('weak', range(0, 60), MINUTE / 2);
    await count('silent', range(15, 1450));
    await count('gone', range(1500, 1600));
    await count('lossy', range(0, 100), 90, { stale: 4, rejected: 6 });
    await count('bobs', range(0, 10), MINUTE, { subAccountId: 2 });
    await pool.query("insert into worker_group (sub_account_id, name) values (1, 'Hall A')");
    await pool.query("update worker set group_id = 1, muted = true where name = 'steady'");
    await pool.query("insert into worker (sub_account_id, algorithm, name) values (1, $1, 'never')", [A]);
    await pool.query(
      `update worker_live
       set connected_at = to_timestamp($1), disconnected_at = null, difficulty = 4096, software = 'x/1'
       where worker_id = (select id from worker where name = 'steady')`,
      [NOW - 24 * HOUR],
    );
    await pool.query(
      `update worker_live
       set connected_at = to_timestamp($1), disconnected_at = to_timestamp($1), difficulty = 4096
       where worker_id = (select id from worker where name = 'silent')`,
      [NOW - 900],
    );
  });

  it('have a slow machine as online while its connection and its pace explain its silence', async () => {
    const states = async (connectedAt: number | null): Promise<unknown[]> => {
      await pool.query(
        `update worker_live set silence = 5000, disconnected_at = to_timestamp($1)
         where worker_id = (select id from worker where name = 'silent')`,
        [connectedAt],
      );
      const list = await new WorkerLists(pool).list(1, A, NOW);
      return [list.find(({ name }) => name === 'silent')?.state, countWorkers(list).offline];
    };
    expect([await states(null), await states(NOW - 900)]).toEqual([
      ['online', 0],
      ['offline', 1],
    ]);
  });

  it("contain the account's own workers with states, hashrates and reject rates", async () => {
    const list = await new WorkerLists(pool).list(1, A, NOW);
    const by = (name: string) => list.find((worker) => worker.name === name);
    expect(list.map((worker) => worker.name).sort()).toEqual(['gone', 'lossy', 'never', 'silent', 'steady', 'weak']);
    expect(Object.fromEntries(list.map((worker) => [worker.name, worker.state]))).toEqual({
      steady: 'online',
      weak: 'low',
      silent: 'offline',
      gone: 'inactive',
      never: 'inactive',
      lossy: 'online',
    });
    expect(by('steady')).toMatchObject({
      group: 'Hall A',
      muted: true,
      difficulty: 4096,
      software: 'x/1',
      connectedAt: expect.any(Number),
    });
    expect(by('silent')).toMatchObject({ difficulty: null, connectedAt: null, m5: 0 });
    for (const rate of [by('steady')?.m5, by('steady')?.h1, by('steady')?.h24])
      expect(Math.abs((rate ?? 0) / FULL - 1)).toBeLessThan(0.25);
    expect(Math.abs((by('steady')?.h24 ?? 0) / FULL - 1)).toBeLessThan(0.03);
    expect(by('lossy')).toMatchObject({ rejectRate: 0.06, staleRate: 0.04 });
    expect(by('never')).toMatchObject({ lastShareAt: null, shares24h: 0, spark: Array(24).fill(null) });
  });

  it('say since when a worker is back, and call it low only when its hour can be judged', async () => {
    await count('back', [...range(0, 25), ...range(300, 1450)], MINUTE, { subAccountId: 2 });
    // Too few shares a day: an hour with half of them is chance.
    for (const ago of range(0, 144))
      await count('rare', [ago * 10], ago < 6 ? MINUTE / 3 : MINUTE, { subAccountId: 2 });
    const now = async (at: number, name = 'back') => {
      const list = await new WorkerLists(pool).list(2, A, at);
      return list.find((worker) => worker.name === name);
    };
    const back = await now(NOW);
    expect([(await now(NOW, 'rare'))?.state, (await now(NOW, 'rare'))?.backSince]).toEqual(['online', undefined]);
    expect(back).toMatchObject({ state: 'online', h1: expect.any(Number) });
    expect((back?.h1 ?? 0) / (back?.h24 ?? 1)).toBeLessThan(0.7);
    // The step of ten minutes in which it came back.
    expect(back?.backSince).toBe(NOW - 25 * 60);
    await pool.query(
      `update worker_live set connected_at = to_timestamp($1), disconnected_at = null
       where worker_id = (select id from worker where name = 'back')`,
      [NOW - 24 * 60],
    );
    expect((await now(NOW))?.backSince).toBe(NOW - 24 * 60);
    await count('back', [0], MINUTE, { subAccountId: 2 });
    // Silent again, it is offline after ten minutes as ever.
    const silent = await now(NOW + 700);
    expect([silent?.state, silent?.backSince]).toEqual(['offline', undefined]);
  });

  it('contain the last day in 24 hours, with null for gaps', async () => {
    const list = await new WorkerLists(pool).list(1, A, NOW);
    const spark = list.find((worker) => worker.name === 'silent')?.spark ?? [];
    expect(spark).toHaveLength(24);
    // Three digits.
    expect(Math.abs((spark[10] ?? 0) / FULL - 1)).toBeLessThan(0.005);
    expect(list.find((worker) => worker.name === 'gone')?.spark.every((value) => value === null)).toBe(true);
  });

  it('cached lists stay equal to lists read from scratch as time goes on', async () => {
    const lists = new WorkerLists(pool);
    const now = await lists.list(1, A, NOW);
    // One second later the list comes from the cache; later lists use the cached hours and equal a fresh read.
    expect(await lists.list(1, A, NOW + 1)).toBe(now);
    for (const worker of now)
      expect({ address: null, ...JSON.parse(lists.textOf(worker, { account: true, address: true })) }).toEqual(worker);
    await count('steady', [0, 1]);
    // At +30 h the cached hours exist only as text.
    for (const later of [NOW + 60, NOW + 120, NOW + HOUR / 2, NOW + HOUR, NOW + 30 * HOUR]) {
      expect(await lists.list(1, A, later)).toEqual(await new WorkerLists(pool).list(1, A, later));
    }
  });

  it('show work that is counted late, also when its hour was cached before', async () => {
    const lists = new WorkerLists(pool);
    const spark = async (now: number, from = lists) =>
      (await from.list(2, A, now)).find((worker) => worker.name === 'late')?.spark;
    const hole = NOW - 5 * HOUR;
    await count('late', [1, 2], MINUTE, { subAccountId: 2 });
    expect((await spark(NOW))?.[18]).toBeNull();
    expect((await spark(NOW + 10))?.[18]).toBeNull();
    await count('late', [(NOW - hole) / 60], MINUTE, { subAccountId: 2 });
    expect((await spark(NOW + 20))?.[18]).toBeGreaterThan(0);
    // Also an hour later, when the hour is cached as text.
    expect(await spark(NOW + HOUR)).toEqual(await spark(NOW + HOUR, new WorkerLists(pool)));
  });

  it('one whose connection has ended says so at once, until it is offline', async () => {
    const steady = async (now: number) => {
      const list = await new WorkerLists(pool).list(1, A, now);
      return [list.find(({ name }) => name === 'steady'), countWorkers(list)];
    };
    const gone = (at: number | null) =>
      pool.query(
        `update worker_live l set connected_at = to_timestamp($2), disconnected_at = to_timestamp($1)
         from worker w where w.sub_account_id = l.sub_account_id and w.id = l.worker_id and w.name = 'steady'`,
        [at, NOW - 900],
      );
    await gone(NOW - 30);
    expect(await steady(NOW)).toMatchObject([
      { state: 'online', disconnectedAt: NOW - 30 },
      { online: 2, disconnected: 1, disconnectedAt: NOW - 30 },
    ]);
    expect(await steady(NOW + 700)).toEqual([
      expect.not.objectContaining({ disconnectedAt: expect.anything() }),
      expect.not.objectContaining({ disconnected: expect.anything() }),
    ]);
    await gone(null);
  });

  it('are counted without inactive workers, and sorted by any field', async () => {
    const list = await new WorkerLists(pool).list(1, A, NOW);
    expect(countWorkers(list)).toEqual({
      online: 2,
      low: 1,
      offline: 1,
      inactive: 2,
      total: 4,
    });
    const names = (sort: string) => {
      const order = parseSort(sort);
      return order && sorted(list, order).map((worker) => worker.name);
    };
    expect(names('state')).toEqual(['silent', 'weak', 'lossy', 'steady', 'gone', 'never']);
    expect(names('-name')).toEqual(['weak', 'steady', 'silent', 'never', 'lossy', 'gone']);
    expect(names('-rejectRate')?.[0]).toBe('lossy');
    expect(names('lastShareAt')?.slice(0, 2)).toEqual(['never', 'gone']);
    expect(parseSort('password')).toBeNull();
  });

  it('of more than 1000 workers are read at the start, and then in the background', async () => {
    const known = (await new WorkerLists(pool).list(2, A, NOW)).length;
    await pool.query(
      `insert into worker (sub_account_id, algorithm, name)
       select 2, $1, 'rig-' || n from generate_series(1, 1200) n`,
      [A],
    );
    await pool.query(
      `insert into worker_live (sub_account_id, worker_id, last_share_at)
       select sub_account_id, id, to_timestamp($1::float8) from worker where sub_account_id = 2
       on conflict do nothing`,
      [NOW - 5],
    );
    const lists = new WorkerLists(pool);
    const queries = jest.spyOn(pool, 'query');
    await lists.warm(() => NOW);
    const before = queries.mock.calls.length;
    expect(before).toBeGreaterThan(1);
    const first = await lists.list(2, A, NOW + 1);
    expect(queries).toHaveBeenCalledTimes(before);
    expect(first).toHaveLength(known + 1200);
    // Returns the old list at once, and the new one as soon as it is read.
    expect(await lists.list(2, A, NOW + 5)).toBe(first);
    await Promise.all(queries.mock.results.map(({ value }) => value as Promise<unknown>));
    await eventually(async () => (await lists.list(2, A, NOW + 6)) !== first, 'the new list');
    const later = await lists.list(2, A, NOW + 6);
    expect(later).toHaveLength(known + 1200);
    expect(await lists.list(2, A, NOW + 6)).toBe(later);
    // After a minute without requests, or after a change, the list is read from the database.
    expect(await lists.list(2, A, NOW + 60)).not.toBe(later);
    const changed = await lists.list(2, A, NOW + 60);
    lists.forget(2);
    expect(await lists.list(2, A, NOW + 61)).not.toBe(changed);
    queries.mockRestore();
  });

  it('of more than 1000 workers, whose work is read by time, say what a short list says of each', async () => {
    const short = await new WorkerLists(pool).list(1, A, NOW);
    await pool.query(
      `insert into worker (sub_account_id, algorithm, name)
       select 1, $1, 'idle-' || n from generate_series(1, 1000) n`,
      [A],
    );
    const queries = jest.spyOn(pool, 'query');
    const long = await new WorkerLists(pool).list(1, A, NOW);
    expect(queries).toHaveBeenCalledWith(expect.objectContaining({ name: 'long list of workers' }));
    queries.mockRestore();
    expect(long.filter(({ name }) => !name.startsWith('idle-'))).toEqual(short);
    expect(long.find(({ name }) => name === 'idle-1000')).toMatchObject({ m5: 0, h1: 0, h24: 0, state: 'inactive' });
    expect(long).toHaveLength(short.length + 1000);
  });

  it('of several sub-accounts are one list by name, made anew when one of them was read again', async () => {
    const lists = new WorkerLists(pool);
    const all = await lists.all([1, 2], A, NOW);
    const each = [await lists.list(1, A, NOW), await lists.list(2, A, NOW)].flat();
    const { compare } = new Intl.Collator('en', { numeric: true });
    expect(all).toEqual(each.sort((a, b) => compare(a.name, b.name)));
    expect(await lists.all([1, 2], A, NOW + 1)).toBe(all);
    const version = lists.changes.version(all) ?? '';
    lists.forget(1);
    const next = await lists.all([1, 2], A, NOW);
    expect(next).not.toBe(all);
    // A page that has the one before gets what changed, which is nothing.
    expect(lists.changes.since(next, version)).toEqual({ workers: [], numbers: [] });
  });
});

describe("the hashrate of a worker that has just started is right from its first minute on, and so is its account's", () => {
  /** Twenty seconds into a minute. */
  const AT = Math.floor(Date.now() / 60_000) * 60 + 20;
  /** Work per second, and seconds per share. */
  const WORK_PER_S = 1000;
  const SHARE_S = 10;
  const RATE = hashrateOfWork(A, WORK_PER_S, 1);

  beforeEach(async () => {
    await emptyTables(database);
    await insertUsers(database, 'alice');
  });

  /** Counts work of workers that have mined for `since` seconds and been connected for `connected` seconds. */
  async function mining(workers: Record<string, { since: number; connected: number }>) {
    const { pool } = database;
    const minute = AT - (AT % 60);
    const buckets = Object.entries(workers).flatMap(([worker, { since }]) =>
      Array.from({ length: 10 }, (_, ago) => minute - ago * 60).flatMap((at) => {
        const seconds = Math.min(AT, at + 60) - Math.max(AT - since, at);
        const [accepted, shares] = [WORK_PER_S * seconds, Math.ceil(seconds / SHARE_S)];
        return seconds > 0 ? [{ worker, at, span: 60, accepted, shares }] : [];
      }),
    );
    await countWork(pool, buckets);
    for (const [worker, { connected }] of Object.entries(workers))
      await pool.query(
        `update worker_live
         set connected_at = to_timestamp($2::float8), disconnected_at = null
         from worker w
         where w.sub_account_id = worker_live.sub_account_id and w.id = worker_id and w.name = $1`,
        [worker, AT - connected],
      );
    const list = await new WorkerLists(pool).list(1, A, AT);
    return { list, account: await windows(pool, { of: 'accounts', ids: [1], algorithm: A }, AT) };
  }

  it.each([75, 299])('a worker that started %d s ago', async (seconds) => {
    const { list, account } = await mining({ rig: { since: seconds, connected: seconds } });
    const [rig] = list;
    // The work is exact, so a difference comes from the divisor; half a percent allows for rounding of minutes.
    for (const rate of [rig?.m5 ?? 0, account.m5]) expect(Math.abs(rate / RATE - 1)).toBeLessThan(0.005);
    const error = 1 / Math.sqrt(seconds / SHARE_S);
    for (const measured of [rig?.measuring, account.measuring])
      expect(Math.abs((measured ?? 0) / error - 1)).toBeLessThan(0.3);
  });

  it('in its first minute the hashrate is an average over one minute', async () => {
    const { list, account } = await mining({ rig: { since: 30, connected: 30 } });
    expect((list[0]?.m5 ?? 0) / RATE).toBeCloseTo(0.5, 3);
    expect(account.m5 / RATE).toBeCloseTo(0.5, 3);
  });

  it.each([30, 310])(
    'a worker that reconnected %d s ago, and one that mined all the time, are not marked as measuring',
    async (connected) => {
      const { list, account } = await mining({
        again: { since: 600, connected },
        steady: { since: 600, connected: 600 },
      });
      for (const worker of list) {
        expect(Math.abs(worker.m5 / RATE - 1)).toBeLessThan(0.005);
        expect(worker.measuring).toBeUndefined();
      }
      expect(Math.abs(account.m5 / (2 * RATE) - 1)).toBeLessThan(0.005);
      expect(account.measuring).toBeUndefined();
    },
  );

  it("an account's hashrate is the sum of its workers' hashrates, new and old", async () => {
    const { list, account } = await mining({
      steady: { since: 600, connected: 600 },
      fresh: { since: 70, connected: 70 },
      fresher: { since: 60, connected: 60 },
    });
    const sum = list.reduce((total, worker) => total + worker.m5, 0);
    expect(Math.abs(sum / (3 * RATE) - 1)).toBeLessThan(0.005);
    expect(account.m5 / sum).toBeCloseTo(1, 5);
    expect(account.measuring).toBeGreaterThan(0);
  });
});
