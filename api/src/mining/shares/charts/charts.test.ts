import type { Pool } from 'pg';
import { hashrateOfWork, TIMEFRAMES } from '@pool/shared/domain';
import { insertUsers, databaseOfFile } from '../../../platform/db/testing/test-database';
import { history, workerHistory } from './charts';
import { toSeries, type Work } from './series';
import { windows } from './windows';
import type { Source } from './source';
import { uptimeOf } from '../../workers/uptime';
import { countWork } from '../testing/count-work';
import { keepWithinTime } from '../retention';
import { startOfDay } from '../../../platform/days';

const A = 'SHA256_ASICBOOST';
const NOW = Math.floor(Date.now() / 86_400_000) * 86_400 + 14 * 3600 + 7 * 60 + 30;
const TODAY = NOW - (NOW % 86_400);

describe('toSeries', () => {
  const row = (t: number, accepted = 60, buckets = 1): Work => ({
    t,
    accepted,
    stale: 1,
    rejected: 2,
    shares: 1,
    buckets,
  });
  const minutes = (present: number[], count: number) =>
    toSeries(
      present.map((i) => row(i * 60)),
      { start: 0, count, step: 60, stored: 60, algorithm: A },
    )
      .accepted.map((v) => (v === null ? '.' : v === 0 ? '0' : 'x'))
      .join('');

  it('returns zero for short silences of a small miner, and null for long ones', () => {
    expect(minutes([0, 3], 5)).toBe('x00x0');
    expect(minutes([0, 10], 12)).toBe('x000000000x0');
    expect(minutes([0, 11], 12)).toBe('x..........x');
    expect(minutes([5], 8)).toBe('.....x00');
    expect(minutes([0], 20)).toBe(`x${'.'.repeat(19)}`);
    expect(minutes([], 4)).toBe('....');
  });
  it('returns null for each missing step of ten minutes, in all three rates', () => {
    const series = toSeries([row(0), row(1200)], { start: 0, count: 3, step: 600, stored: 600, algorithm: A });
    expect(series.accepted).toEqual([hashrateOfWork(A, 60, 600), null, hashrateOfWork(A, 60, 600)]);
    expect([series.stale[1], series.rejected[1]]).toEqual([null, null]);
    expect(series.rejected[0]).toBe(hashrateOfWork(A, 2, 600));
  });
  it('does not count a gap inside a point into its mean', () => {
    const series = toSeries([row(0, 7200, 2)], { start: 0, count: 1, step: 10_800, stored: 3600, algorithm: A });
    expect(series.accepted).toEqual([hashrateOfWork(A, 3600, 3600)]);
  });
  it('divides a point of several stored steps by the time mined in those with a row', () => {
    const shape = { start: 0, count: 1, step: 10_800, stored: 3600, algorithm: A } as const;
    const began = toSeries([row(0, 1800, 1)], { ...shape, since: 9000 });
    const away = toSeries([row(0, 5400, 2)], { ...shape, absences: [{ from: 3600, until: 9000 }] });
    for (const { accepted } of [began, away]) expect(accepted).toEqual([hashrateOfWork(A, 60, 60)]);
  });
});

describe('charts', () => {
  const database = databaseOfFile();
  let pool: Pool;
  let mine: Source;

  beforeAll(async () => {
    ({ pool } = database);
    await insertUsers(database, 'alice', 'bob');
    mine = { of: 'accounts', ids: [1], algorithm: A };
    // A share each minute of the last day except for half an hour. Bob's share must not show in alice's charts.
    const silent = NOW - 5 * 3600;
    const minutes = Array.from({ length: 1500 }, (_, i) => NOW - (NOW % 60) - i * 60).filter(
      (t) => t < silent || t >= silent + 1800,
    );
    await countWork(pool, [
      ...minutes.map((at) => ({ at, span: 60, accepted: 60_000 })),
      { subAccountId: 2, at: NOW - (NOW % 60), span: 60, accepted: 9e9 },
    ]);
    await countWork(pool, [{ at: TODAY - 40 * 86_400, accepted: 3_600_000 }]);
  });

  const FULL = hashrateOfWork(A, 1000, 1);

  it('ends with the last complete step, never with the current one', async () => {
    for (const name of ['h2', 'd1', 'd7', 'd30', 'd90', 'y1'] as const) {
      const { step, span } = TIMEFRAMES[name];
      const series = await history(pool, mine, name, NOW);
      expect(series.accepted).toHaveLength(span / step);
      expect(series.from + series.accepted.length * step).toBe(NOW - (NOW % step));
      expect(series.from % step).toBe(0);
    }
  });
  it('returns null for the gap of the day and exact rates for the rest', async () => {
    const { accepted } = await history(pool, mine, 'd1', NOW);
    const gaps = accepted.filter((value) => value === null).length;
    expect(gaps).toBeGreaterThanOrEqual(2);
    expect(gaps).toBeLessThanOrEqual(3);
    expect(accepted.filter((value) => value !== null && Math.abs(value / FULL - 1) < 1e-9).length).toBeGreaterThan(138);
  });
  it('uses UTC days', async () => {
    const year = await history(pool, mine, 'y1', NOW);
    expect(year.from % 86_400).toBe(0);
    const day = (TODAY - 40 * 86_400 - year.from) / 86_400;
    expect(year.accepted[day]).toBe(hashrateOfWork(A, 3_600_000, 86_400));
    expect(year.accepted[day - 1]).toBeNull();
    const month = await history(pool, mine, 'd90', NOW);
    expect(month.accepted[(TODAY - 40 * 86_400 - month.from) / month.step]).toBe(hashrateOfWork(A, 3_600_000, 3600));
  });
  it("returns means near the real hashrate, without other accounts' work", async () => {
    const { quality, ...rates } = await windows(pool, mine, NOW);
    for (const rate of [rates.m5, rates.m15, rates.h1]) expect(Math.abs(rate / FULL - 1)).toBeLessThan(0.11);
    expect(Math.abs(rates.h24 / FULL - (1 - 1800 / 86_400))).toBeLessThan(0.02);
    expect(quality.shares).toBeGreaterThan(1300);
  });
  it('sums one worker, and the whole pool', async () => {
    const {
      rows: [worker],
    } = await pool.query<{ id: number }>('select id from worker where sub_account_id = 1');
    const { difficulty, ...own } = await workerHistory(
      pool,
      { of: 'worker', id: worker?.id ?? 0, account: 1, algorithm: A },
      'd1',
      NOW,
    );
    expect(own).toEqual(await history(pool, mine, 'd1', NOW));
    // One share a minute, each of 60,000; nothing where nothing was sent.
    expect(difficulty).toEqual(own.accepted.map((hs) => (hs === null ? null : 60_000)));
    const all = await windows(pool, { of: 'pool', algorithm: A }, NOW);
    expect(all.m5).toBeGreaterThan(FULL * 10);
  });
  it('does not show a step whose last shares are still to be counted', async () => {
    const minute = NOW - (NOW % 60);
    const { from, step, accepted } = await history(pool, mine, 'h2', minute + 29);
    expect(from + step * accepted.length).toBe(minute - 60);
  });
  it('scales the steps beside an outage of all upstreams to their part, unless the account mined on', async () => {
    const silent = NOW + 30 - 5 * 3600;
    await pool.query(
      `insert into pool_outage (algorithm, why, since, until)
       select $1, 'upstream', to_timestamp(at), to_timestamp(at + 1800) from unnest($2::float8[]) as at`,
      [A, [silent, silent + 2 * 3600]],
    );
    const { accepted } = await history(pool, mine, 'd1', NOW);
    const known = accepted.filter((value) => value !== null).map((value) => value / FULL);
    expect(Math.min(...known)).toBeCloseTo(1);
    expect(Math.max(...known)).toBeCloseTo(1);
  });
  it('says how much of a day and a week a worker mined: not its fault is silence of the pool, and by chance', async () => {
    const uptime = () => uptimeOf(pool, { of: 'worker', id: 1, account: 1, algorithm: A }, NOW);
    // Its first share was 150 steps of ten minutes ago. Two were silent, while no upstream worked.
    expect(await uptime()).toEqual({ h24: 1, d7: 1, model: null });
    await pool.query('delete from pool_outage');
    expect(await uptime()).toEqual({ h24: 142 / 144, d7: 148 / 150, model: null });
    await pool.query('update worker set created_at = to_timestamp($1::float8) where id = 1', [NOW - 40 * 86_400]);
    expect(await uptime()).toEqual({ h24: 142 / 144, d7: 148 / 1008, model: null });
    await pool.query(
      `insert into worker_live (sub_account_id, worker_id, connected_at, silence, software)
       values (1, 1, now(), 1800, 'Antminer S19j Pro/1.2')
       on conflict (sub_account_id, worker_id) do update
       set connected_at = excluded.connected_at, disconnected_at = null, silence = 1800, software = excluded.software`,
    );
    expect(await uptime()).toMatchObject({
      h24: 1,
      model: { name: 'Antminer S19j Pro', hashrate: 104e12, by: 'software' },
    });
    await pool.query("update worker_live set software = 'bmminer/2.0.0'");
    await pool.query("update worker set name = 'hall-d.s21-xp-07' where id = 1");
    expect((await uptime()).model).toEqual({ name: 'Antminer S21 XP', hashrate: 270e12, by: 'name' });
  });
});

/** Retention times (architecture.md): 1 min steps 3 days, 10 min 40 days, 1 h a year, 1 d forever. */
describe('how long rows are kept', () => {
  const DAY = 86_400;
  /** Noon, far from the edges of partitions. */
  const NOW = startOfDay('2026-11-20') + DAY / 2;
  const TABLES = ['1m', '10m', '1h', '1d'].flatMap((step) => [`share_${step}`, `account_${step}`]);
  const database = databaseOfFile();
  const ask = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await database.pool.query(text, values)).rows as T[];

  /** Inserts a row into each table at time `at`. */
  async function insertRows(at: number): Promise<void> {
    for (const table of TABLES) {
      const [column, value] = table.startsWith('share')
        ? ['sub_account_id, worker_id', '1, 1']
        : ['sub_account_id, algorithm', "1, 'SCRYPT'"];
      await database.pool.query(`insert into ${table} (${column}, at, shares) values (${value}, to_timestamp($1), 1)`, [
        at,
      ]);
    }
  }
  const daysOf = async (table: string): Promise<number[]> =>
    (
      await ask<{ days: number }>(
        `select round(($1 - extract(epoch from at)::float8) / ${DAY})::int as days from ${table} order by 1`,
        [NOW],
      )
    ).map(({ days }) => days);

  it('keeps each step for its time, and at most one partition longer', async () => {
    await keepWithinTime(database.pool, NOW - 400 * DAY);
    // Rows are inserted as time goes by, with the daily job in between; some rows have no partition.
    for (const days of [2000, 400, 370, 300, 60, 47, 38, 20, 5, 2, 0]) {
      await keepWithinTime(database.pool, NOW - days * DAY);
      await insertRows(NOW - days * DAY);
    }
    await keepWithinTime(database.pool, NOW);
    expect(await daysOf('share_1m')).toEqual([0, 2]);
    expect(await daysOf('account_1m')).toEqual([0, 2]);
    for (const table of ['share_10m', 'account_10m']) expect(await daysOf(table)).toEqual([0, 2, 5, 20, 38]);
    for (const table of ['share_1h', 'account_1h']) {
      const days = await daysOf(table);
      expect(days.slice(0, 8)).toEqual([0, 2, 5, 20, 38, 47, 60, 300]);
      // Old rows go with the partition of their month.
      expect(days.slice(8).every((age) => age <= 365 + 31)).toBe(true);
    }
    for (const table of ['share_1d', 'account_1d']) expect(await daysOf(table)).toHaveLength(11);

    // The default partitions are empty, and old partitions are dropped.
    for (const table of TABLES.slice(0, 6))
      expect(await ask(`select count(*) as n from ${table}_default`)).toEqual([{ n: 0 }]);
    const [names] = await ask<{ oldest: string }>(
      "select min(relname) as oldest from pg_class where relname ~ '^share_1m_[0-9]{8}$'",
    );
    expect(names?.oldest).toBe('share_1m_20261117');
  });

  it('keeps money and the audit log forever, and deletes old rows of small tables', async () => {
    await ask("insert into app_user (id, identity_id, user_name) values (1, 'x', 'alice')");
    await ask("insert into sub_account (id, user_id, name) values (1, 1, 'alice')");
    const at = (days: number): string => new Date((NOW - days * DAY) * 1000).toISOString();
    const old = [at(800)];
    await ask(
      `insert into ledger (party, sub_account_id, kind, amount_sat, ref, at)
       values ('account', 1, 'bonus', 5, 'x', $1), ('pool', null, 'bonus', -5, 'x', $1)`,
      old,
    );
    await ask("insert into audit (action, at) values ('a', $1)", old);
    await ask(
      `insert into payment (sub_account_id, period_from, period_to, amount_sat, created_at)
       values (1, '2024-01-01', '2024-01-02', 5, $1)`,
      old,
    );
    for (const days of [31, 29])
      await ask("insert into ingest_batch (proxy_id, sequence, at) values ('p', $1, $2)", [days, at(days)]);
    for (const days of [2, 0.5])
      await ask("insert into idempotency (user_id, key, body_hash, created_at) values (1, $1, '', $2)", [
        String(days),
        at(days),
      ]);
    for (const [days, read] of [
      [400, null],
      [300, null],
      [100, at(99)],
      [80, at(79)],
    ] as const)
      await ask('insert into notification (user_id, kind, created_at, read_at) values (1, $1, $2, $3)', [
        String(days),
        at(days),
        read,
      ]);
    for (const days of [400, 300])
      await ask("insert into upstream_switch (algorithm, why, at) values ('SCRYPT', $1, $2)", [String(days), at(days)]);
    await keepWithinTime(database.pool, NOW);
    expect(
      await ask(
        `select (select count(*) from ledger) as ledger,
           (select count(*) from audit) as audit,
           (select count(*) from payment) as payments`,
      ),
    ).toEqual([{ ledger: 2, audit: 1, payments: 1 }]);
    expect(await ask('select sequence from ingest_batch')).toEqual([{ sequence: 29 }]);
    expect(await ask('select key from idempotency')).toEqual([{ key: '0.5' }]);
    expect(await ask('select kind from notification order by kind')).toEqual([{ kind: '300' }, { kind: '80' }]);
    expect(await ask('select why from upstream_switch')).toEqual([{ why: '300' }]);
  });
});
