/** What means are divided by: the time since the mining began, without the server's absences. */
import { hashrateOfWork, type AlgorithmName } from '@pool/shared/domain';
import { runAlerts } from '../../alerts/engine';
import { insertUsers, databaseOfFile } from '../../platform/db/testing/test-database';
import { WorkerLists } from '../../mining/workers/workers';
import { history } from '../../mining/shares/charts/charts';
import { windows } from '../../mining/shares/charts/windows';
import type { Source } from '../../mining/shares/charts/source';
import { countWork } from '../../mining/shares/testing/count-work';
import { absencesOf, absencesSelect, dipsIn, presentSeconds, sinceWhen } from './mined-time';
import { sql } from '../../platform/db/querier';

const A: AlgorithmName = 'SHA256_ASICBOOST';
const HOUR = 3600;
/** Twenty minutes past an hour. */
const NOW = Math.floor(Date.now() / 86_400_000) * 86_400 + 14 * HOUR + 1200;
const RATE = hashrateOfWork(A, 100, 60);
const SOURCE: Source = { of: 'accounts', ids: [1], algorithm: A };

const database = databaseOfFile();
beforeAll(async () => {
  await insertUsers(database, 'alice');
});
beforeEach(() =>
  database.pool.query(
    'truncate worker, share_1m, share_10m, share_1h, account_1m, account_10m, account_1h, pool_outage, setting cascade',
  ),
);

/** Counts minutes of work, 100 in each, from `from` until `until`. */
const mine = (from: number, until: number, worker = 'rig'): Promise<unknown> =>
  countWork(
    database.pool,
    Array.from({ length: Math.floor((until - from) / 60) }, (_, i) => {
      const at = from + i * 60;
      return { worker, at, span: 60, accepted: 100, shares: 10, lastShareAt: at + 59 };
    }),
  );
const worker = async (now: number) => (await new WorkerLists(database.pool).list(1, A, now))[0];

it('the first hours are divided by the time really mined, and never called low', async () => {
  const started = NOW - 4800;
  await mine(started, NOW);
  const account = await windows(database.pool, SOURCE, NOW);
  expect(account.minedSince).toBe(started);
  for (const rate of [account.m15, account.h1, account.h24]) expect(rate / RATE).toBeCloseTo(1, 2);
  const rig = await worker(NOW);
  expect(rig).toMatchObject({ state: 'online', minedSince: started });
  for (const rate of [rig?.h1 ?? 0, rig?.h24 ?? 0]) expect(rate / RATE).toBeCloseTo(1, 2);
  // The first step of the chart is not a whole one.
  const day = await history(database.pool, SOURCE, 'd1', NOW);
  for (const point of day.accepted.filter((hs) => hs !== null)) expect(point / RATE).toBeCloseTo(1, 2);
  // It slows down in its first day.
  await mine(NOW + HOUR, NOW + HOUR + 120);
  expect(await worker(NOW + HOUR + 120)).toMatchObject({ state: 'online' });
});

it('silence within a day lowers the mean; who was away for more than a day begins anew', async () => {
  await mine(NOW - 30 * HOUR, NOW - 27 * HOUR);
  await mine(NOW - 6 * HOUR, NOW);
  expect((await windows(database.pool, SOURCE, NOW)).h24 / RATE).toBeCloseTo(6 / 24, 1);
  expect((await windows(database.pool, SOURCE, NOW)).minedSince).toBeUndefined();
  const back = NOW + 30 * HOUR;
  await mine(back, back + 2 * HOUR);
  const account = await windows(database.pool, SOURCE, back + 2 * HOUR);
  expect(account.minedSince).toBe(back);
  expect(account.h24 / RATE).toBeCloseTo(1, 2);
});

describe('after an absence of the server', () => {
  const STOPPED = NOW;
  const BACK = NOW + 900;
  beforeEach(async () => {
    await mine(NOW - 26 * HOUR, NOW);
    await runAlerts(database.pool, STOPPED);
    await runAlerts(database.pool, BACK);
  });

  it('nobody is offline or low who was not, and the means are as before', async () => {
    expect(await worker(BACK + 60)).toMatchObject({ state: 'online' });
    expect(await worker(BACK + 700)).toMatchObject({ state: 'offline' });
    await mine(BACK, BACK + 1200);
    const now = BACK + 1200;
    const account = await windows(database.pool, SOURCE, now);
    for (const rate of [account.h1, account.h24]) expect(rate / RATE).toBeCloseTo(1, 1);
    expect(account.absences).toEqual([{ from: STOPPED, until: BACK }]);
    const rig = await worker(now);
    expect(rig?.state).toBe('online');
    expect((rig?.h1 ?? 0) / (rig?.h24 ?? 1)).toBeCloseTo(1, 1);
    for (const point of rig?.spark ?? []) expect((point ?? 0) / RATE).toBeCloseTo(1, 1);
    const day = await history(database.pool, SOURCE, 'd1', now);
    for (const point of day.accepted.slice(-5)) if (point !== null) expect(point / RATE).toBeCloseTo(1, 1);
  });

  it('a silent worker is offline ten minutes of presence after its last share', async () => {
    expect(sinceWhen(600, BACK + 60, [{ from: STOPPED, until: BACK }])).toBe(STOPPED - 540);
    expect(presentSeconds(STOPPED - 60, BACK + 60, [{ from: STOPPED, until: BACK }])).toBe(120);
  });

  it('a time with shares was no absence: only the database was away', async () => {
    await mine(STOPPED, BACK + 1200);
    const account = await windows(database.pool, SOURCE, BACK + 1200);
    expect(account.absences).toEqual([]);
    expect(account.h24 / RATE).toBeCloseTo(1, 1);
  });
});

it('an absence is looked up by time, not in all minutes of two days', async () => {
  await mine(NOW - 26 * HOUR, NOW);
  await runAlerts(database.pool, NOW);
  await runAlerts(database.pool, NOW + 900);
  await database.pool.query('analyze account_1m, share_1m, pool_outage');
  const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(
    sql`explain (analyze, costs off, timing off) ${absencesSelect(NOW + 960)}`,
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/Index Scan using account_1m_\d+_at_idx/);
  expect(plan).not.toMatch(/share_1m|Rows Removed by (Join )?Filter: \d{3}/);
});

it('of more than a hundred absences the newest count', async () => {
  await database.pool.query(
    `insert into pool_outage (algorithm, why, since, until)
     select $1, 'server', to_timestamp($2 - n * 60), to_timestamp($2 - n * 60 + 30) from generate_series(0, 149) n`,
    [A, NOW - 60],
  );
  const absences = await absencesOf(database.pool, NOW);
  expect([absences.length, absences[0], absences.at(-1)]).toEqual([
    100,
    { from: NOW - 100 * 60, until: NOW - 100 * 60 + 30 },
    { from: NOW - 60, until: NOW - 30 },
  ]);
});

describe('dips', () => {
  const STEP = 600;
  const FROM = 1_795_000_200;
  const at = (step: number) => FROM + step * STEP;
  const day = (changes: Record<number, number | null> = {}) => ({
    from: FROM,
    step: STEP,
    accepted: Array.from({ length: 144 }, (_, i) => (i in changes ? (changes[i] ?? null) : 100)),
  });
  const shares = (each: number, days = 1) => Array<number>(days * 144).fill(each);
  const MANY = shares(1000);

  it('a dip is as long as the steps below, a gap is a part of it, and what is missed is summed', () => {
    expect(dipsIn(day({ 30: 40, 31: null, 32: null, 33: 70, 90: 85 }), MANY, [])).toEqual([
      { at: at(30), until: at(34), missed: (60 + 100 + 100 + 30) * STEP },
    ]);
  });

  it('with few shares a low step is chance', () => {
    const low = day({ 30: 40, 60: null, 61: null });
    expect(dipsIn(low, shares(36), []).map((dip) => dip.at)).toEqual([at(60)]);
    expect(dipsIn(low, shares(15), [])).toEqual([]);
  });

  it('the time of the server’s absence is its own, also where what was mined beside it looks usual', () => {
    const away = { from: at(50) + 60, until: at(51) + 300 };
    expect(dipsIn(day({ 51: null, 53: 0 }), MANY, [away])).toEqual([
      { at: away.from, until: away.until, missed: 100 * 840 },
      { at: at(53), until: at(54), missed: 100 * STEP },
    ]);
  });

  it('what is usual is that of each day: growing to twice as much is no dip, and one goes on over the end of a day', () => {
    const { accepted } = day({ 140: 20, 141: 20, 142: 20, 143: 20 });
    const grown = day({ 0: 20 }).accepted.map((hs) => (hs ?? 0) * 2);
    expect(dipsIn({ from: FROM, step: STEP, accepted: [...accepted, ...grown] }, shares(1000, 2), [])).toEqual([
      { at: at(140), until: at(145), missed: (4 * 80 + 160) * STEP },
    ]);
  });

  it('before the first share, and with none, there are no dips', () => {
    const begun = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [i, null]));
    expect(dipsIn(day(begun), MANY, [])).toEqual([]);
    expect(dipsIn({ ...day(), accepted: Array<null>(144).fill(null) }, shares(0), [])).toEqual([]);
  });
});
