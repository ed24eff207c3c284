import { hashrateOfWork, workerState, type AlgorithmName } from '@pool/shared/domain';
import { databaseOfFile } from '../platform/db/testing/test-database';
import { poolAccounts } from '../identity/pool-accounts';
import { startBuiltinPool } from '../stratum/builtin-pool';
import { eventually } from '../testing/eventually';
import { testProxy } from '../stratum/testing/test-proxy';
import { FLEET, NOMINAL } from './fleet';
import { effort } from './profile';
import { Rig } from './rig';
import { demoStart, seedDemo } from './seed';

const HOUR = 3600;
const DAY = 86_400;
const NOW = Math.floor(Date.now() / 1000);

describe('history', () => {
  const database = databaseOfFile();
  beforeAll(async () => {
    await seedDemo({
      pool: database.pool,
      accounts: poolAccounts(database.pool),
      password: 'a demo to look at',
      now: NOW,
    });
  });
  const query = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await database.pool.query(text, values)).rows as T[];

  it('makes the users, their accounts and groups, once', async () => {
    const before = await query(
      'select (select sum(shares) from share_1d)::int as shares, (select count(*) from worker)::int as workers',
    );
    expect(
      await seedDemo({
        pool: database.pool,
        accounts: poolAccounts(database.pool),
        password: 'another',
        now: NOW + 500,
      }),
    ).toBe(NOW);
    expect(await demoStart(database.pool)).toBe(NOW);
    expect(
      await query(
        'select (select sum(shares) from share_1d)::int as shares, (select count(*) from worker)::int as workers',
      ),
    ).toEqual(before);
    expect(
      await query(
        `select u.user_name, u.role, u.is_legacy_user, s.name
         from app_user u join sub_account s on s.user_id = u.id
         order by u.id, s.id`,
      ),
    ).toEqual([
      { user_name: 'admin', role: 'admin', is_legacy_user: false, name: 'admin' },
      ...['demo', 'hangar-2', 'scrypt-farm'].map((name) => ({
        user_name: 'demo',
        role: 'miner',
        is_legacy_user: false,
        name,
      })),
      { user_name: 'legacy', role: 'miner', is_legacy_user: true, name: 'legacy' },
    ]);
    expect(
      await query(
        `select count(*)::int as n from worker
         where group_id is null and sub_account_id <> (select id from sub_account where name = $1)`,
        ['legacy'],
      ),
    ).toEqual([{ n: 0 }]);
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

  it('covers 90 days and has the half hour without data', async () => {
    const [days] = await query<{ n: number }>(
      'select count(distinct at)::int as n from account_1d where at > to_timestamp($1)',
      [NOW - 90 * DAY],
    );
    expect(days?.n).toBeGreaterThanOrEqual(90);
    const silence = await query<{ n: number }>(
      'select count(*)::int as n from account_10m where at >= to_timestamp($1) and at <= to_timestamp($2)',
      [NOW - 10.5 * HOUR, NOW - 10 * HOUR - 600],
    );
    expect(silence).toEqual([{ n: 0 }]);
  });

  it('ends where the live rigs start', async () => {
    const rows = await query<{ algorithm: AlgorithmName; work: number; shares: number }>(
      `select algorithm, sum(accepted) as work, sum(shares)::int as shares
       from account_1m where at >= to_timestamp($1)
       group by 1`,
      [NOW - HOUR],
    );
    expect(rows).toHaveLength(2);
    for (const { algorithm, work, shares } of rows) {
      const nominal = FLEET.filter((rig) => rig.algorithm === algorithm).reduce(
        (sum, rig) => sum + rig.hashrate * effort(rig, NOW, NOW),
        0,
      );
      expect(Math.abs(hashrateOfWork(algorithm, work, HOUR) / nominal - 1)).toBeLessThan(0.05 + 5 / Math.sqrt(shares));
    }
  });

  it('has workers in every state', async () => {
    const rows = await query<{ algorithm: AlgorithmName; last: number; h1: number; h24: number }>(
      `select w.algorithm, extract(epoch from l.last_share_at)::float8 as last,
         (select coalesce(sum(accepted), 0) from share_10m s
          where s.sub_account_id = w.sub_account_id and s.worker_id = w.id and at >= to_timestamp($1)) as h1,
         (select coalesce(sum(accepted), 0) from share_10m s
          where s.sub_account_id = w.sub_account_id and s.worker_id = w.id and at >= to_timestamp($2)) as h24
       from worker w join worker_live l on l.worker_id = w.id`,
      [NOW - HOUR, NOW - DAY],
    );
    const states = rows.map((row) =>
      workerState(
        {
          lastShareAt: row.last,
          h1: hashrateOfWork(row.algorithm, row.h1, HOUR),
          h24: hashrateOfWork(row.algorithm, row.h24, DAY),
        },
        NOW,
      ),
    );
    const count = (state: string): number => states.filter((s) => s === state).length;
    expect(count('low')).toBeGreaterThanOrEqual(3);
    expect(count('offline')).toBeGreaterThanOrEqual(2);
    expect(count('inactive')).toBeGreaterThanOrEqual(3);
    expect(count('online')).toBeGreaterThan(75);
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
