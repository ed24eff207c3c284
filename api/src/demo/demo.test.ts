import { ALGORITHM_NAMES, ALGORITHMS, hashrateOfWork, workerState } from '@pool/shared/domain';
import { history } from '../mining/shares/charts/charts';
import { databaseOfFile } from '../platform/db/testing/test-database';
import { poolAccounts } from '../identity/people/pool-accounts';
import { startBuiltinPool } from '../stratum/builtin-pool';
import { eventually } from '../testing/eventually';
import { testProxy } from '../stratum/testing/test-proxy';
import { FLEET, NOMINAL } from './fleet';
import { historyChunks } from './history';
import { blackouts, effort } from './profile';
import { Rig } from './rig';
import { demoStart, seedDemo } from './seed';

const HOUR = 3600;
const DAY = 86_400;
/** A time in the middle of a step of ten minutes. */
const NOW = (Math.floor(Date.now() / 600_000) - 1) * 600 + 200;

describe('history', () => {
  const accounts = [...new Set(FLEET.map(({ account }) => account))];
  const ids = new Map(accounts.map((name, n) => [name, n]));
  const all = [...historyChunks(ids, NOW)].flat();
  const workIn = (buckets: typeof all): number => buckets.reduce((sum, { accepted }) => sum + accepted, 0);

  it('covers 90 days and has the half hour without data', () => {
    const days = new Set(all.filter(({ at }) => at > NOW - 90 * DAY).map(({ at }) => Math.floor(at / DAY)));
    expect(days.size).toBeGreaterThanOrEqual(90);
    const [gap] = blackouts(NOW);
    expect(all.filter(({ at, span }) => at < gap!.until && at + span > gap!.from)).toEqual([]);
  });

  it('ends where the live rigs start', () => {
    const lastHour = all.filter(({ at }) => at >= NOW - HOUR);
    for (const algorithm of ALGORITHM_NAMES) {
      const own = lastHour.filter((bucket) => bucket.algorithm === algorithm);
      const nominal = FLEET.filter((rig) => rig.algorithm === algorithm).reduce(
        (sum, rig) => sum + rig.hashrate * effort(rig, NOW, NOW),
        0,
      );
      const shares = own.reduce((sum, bucket) => sum + bucket.shares, 0);
      expect(Math.abs(hashrateOfWork(algorithm, workIn(own), HOUR) / nominal - 1)).toBeLessThan(
        0.05 + 5 / Math.sqrt(shares),
      );
    }
  });

  it('has workers in every state', () => {
    const states = FLEET.map(({ account, worker, algorithm }) => {
      const own = all.filter((each) => each.subAccountId === ids.get(account) && each.worker === worker);
      const since = (seconds: number) => workIn(own.filter(({ at }) => at >= NOW - seconds));
      return workerState(
        {
          lastShareAt: Math.max(...own.map(({ lastShareAt }) => lastShareAt ?? 0)),
          h1: hashrateOfWork(algorithm, since(HOUR), HOUR),
          h24: hashrateOfWork(algorithm, since(DAY), DAY),
        },
        NOW,
      );
    });
    const count = (state: string): number => states.filter((s) => s === state).length;
    expect(count('low')).toBeGreaterThanOrEqual(3);
    expect(count('offline')).toBeGreaterThanOrEqual(2);
    expect(count('inactive')).toBeGreaterThanOrEqual(3);
    expect(count('online')).toBeGreaterThan(75);
  });
});

describe('the demo of two days', () => {
  const database = databaseOfFile();
  const seed = (now: number, password = 'a demo to look at'): Promise<number> =>
    seedDemo({ pool: database.pool, accounts: poolAccounts(database.pool), password, now, days: 2 });
  beforeAll(() => seed(NOW));
  const query = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await database.pool.query(text, values)).rows as T[];

  it('makes the users, their accounts and groups, once', async () => {
    const counts = 'select (select sum(shares) from share_1d)::int, (select count(*) from worker)::int as workers';
    const before = await query(counts);
    expect(await seed(NOW + 500, 'another')).toBe(NOW);
    expect(await demoStart(database.pool)).toBe(NOW);
    expect(await query(counts)).toEqual(before);
    expect(
      await query(
        `select u.user_name, u.role, u.is_legacy_user as legacy, array_agg(s.name order by s.id) as accounts
         from app_user u join sub_account s on s.user_id = u.id
         group by u.id
         order by u.id`,
      ),
    ).toEqual([
      { user_name: 'admin', role: 'admin', legacy: false, accounts: ['admin'] },
      { user_name: 'demo', role: 'miner', legacy: false, accounts: ['demo', 'hangar-2', 'scrypt-farm'] },
      { user_name: 'legacy', role: 'miner', legacy: true, accounts: ['legacy'] },
    ]);
    const grouped = await query<{ name: string; all: boolean }>(
      `select s.name, bool_and(group_id is not null) as all
       from worker w join sub_account s on s.id = w.sub_account_id
       group by 1`,
    );
    expect(grouped.filter(({ all }) => !all).map(({ name }) => name)).toEqual(['legacy']);
  });

  it('no point of a chart is off what its rigs do', async () => {
    const off: string[] = [];
    const accounts = await query<{ id: number; name: string }>('select id, name from sub_account');
    for (const { id, name } of accounts)
      for (const algorithm of ALGORITHM_NAMES)
        for (const timeframe of ['h2', 'd1'] as const) {
          const rigs = FLEET.filter((rig) => rig.account === name && rig.algorithm === algorithm);
          const source = { of: 'accounts' as const, ids: [id], algorithm };
          const { from, step, accepted } = await history(database.pool, source, timeframe, NOW);
          accepted.forEach((hs, i) => {
            if (hs === null) return;
            const at = from + i * step;
            const hashrateAt = (t: number) => rigs.reduce((sum, rig) => sum + rig.hashrate * effort(rig, t, NOW), 0);
            const parts = step / 60;
            let usual = 0;
            for (let part = 0.5; part < parts; part += 1) usual += hashrateAt(at + part * 60) / parts;
            const { difficulty = 1 } = rigs[0] ?? {};
            const shares = (usual * step) / (difficulty * ALGORITHMS[algorithm].hashesPerDifficulty);
            if (Math.abs(hs / usual - 1) > 0.06 + 5 / Math.sqrt(shares))
              off.push(`${name} ${timeframe} ${new Date(at * 1000).toISOString()}: ${hs / usual}`);
          });
        }
    expect(off).toEqual([]);
  });

  it('has the same sums in every step', async () => {
    const [sums] = await query<Record<string, number>>(
      `select (select sum(accepted) from share_1d) as workers,
         (select sum(accepted) from account_1d) as accounts,
         (select sum(accepted) from account_1h) as hours,
         (select sum(accepted) from account_1m where at >= date_trunc('hour', to_timestamp($1))) as minutes,
         (select sum(accepted) from account_1h where at >= date_trunc('hour', to_timestamp($1))) as lately`,
      [NOW - 2 * HOUR],
    );
    expect(sums?.accounts).toBeCloseTo(sums?.workers ?? 0, -6);
    expect(sums?.hours).toBeCloseTo(sums?.workers ?? 0, -6);
    expect(sums?.minutes).toBeCloseTo(sums?.lately ?? 0, -6);
  });
});

it("a machine that is low or flaky stays so for weeks after the demo's start", () => {
  for (const rig of FLEET.filter((r) => r.behaviour === 'low' || r.behaviour === 'flaky')) {
    const parts = Array.from({ length: 500 }, (_, i) => effort(rig, NOW + 20 * DAY + i * 600, NOW));
    expect(Math.min(...parts)).toBeLessThan(0.6);
    expect(Math.max(...parts)).toBeGreaterThan(0.9);
  }
});

it('a rig earns its nominal hashrate with real proofs', async () => {
  const algorithm = 'SHA256_ASICBOOST';
  const pool = await startBuiltinPool({ algorithm, nominal: NOMINAL[algorithm] });
  const { proxy, sink, port } = await testProxy([pool.target], {
    directory: {
      ownWorkers: async () => new Set(),
      find: async () => ({ subAccountId: 1, name: 'alice', userId: 1, minerPassword: null }),
      byId: async () => null,
      closed: async () => [],
      onChange: () => () => undefined,
    },
    limits: { linesPerSecond: 10_000 },
  });
  const spec =
    FLEET.find((rig) => rig.algorithm === algorithm && rig.behaviour === 'rejects') ??
    (FLEET.find((rig) => rig.algorithm === algorithm && rig.behaviour === 'steady') as (typeof FLEET)[number]);
  const rig = new Rig(spec, port, NOW);
  let seconds = 0;
  await eventually(
    () => {
      rig.work(60, NOW * 1000);
      // Turns before the first job do nothing.
      if (sink.shares.length) seconds += 60;
      return sink.count('accepted') >= 200;
    },
    'shares',
    60_000,
  );
  rig.stop();
  await eventually(() => proxy.connections() === 0, 'the rig gone');
  const accepted = sink.shares.filter((share) => share.outcome === 'accepted');
  expect(new Set(accepted.map((share) => share.difficulty))).toEqual(new Set([spec.difficulty]));
  const measured = hashrateOfWork(
    algorithm,
    accepted.reduce((sum, share) => sum + share.difficulty, 0),
    seconds,
  );
  expect(Math.abs(measured / (spec.hashrate * effort(spec, NOW, NOW)) - 1)).toBeLessThan(
    0.1 + 5 / Math.sqrt(accepted.length),
  );
  await proxy.stop();
  await pool.stop();
});
