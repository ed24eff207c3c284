/**
 * Clocks that are wrong: shares keep their day, and no day is closed while clocks disagree (ADR 20). The database's is
 * wrong by functions of its own named `now`. `ops/faults/roles.test.ts` starts processes with a wrong clock.
 */
import { Bus } from './bus';
import { type Clocks, ClocksDisagree, clocksOf, PoolClock } from './clock';
import { dayOf } from './days';
import { openDatabase } from './db/database';
import { insertUsers, postgresOfFile } from './db/testing/test-database';
import { dayCloser } from '../money/jobs/close-days';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const NOON = Date.UTC(2026, 10, 24, 12);

/** Clocks that tests set: real time passes only by `pass`. */
class TestClocks implements Clocks {
  offsets = { database: 0, process: 0 };
  private passed = 0;
  private slept = 0;
  database = async (): Promise<number> => this.time + this.offsets.database;
  process = (): number => this.time + this.offsets.process;
  monotonic = (): number => this.passed;
  uptime = (): number => this.passed + this.slept;
  /** What a right clock shows. */
  get time(): number {
    return NOON + this.passed + this.slept;
  }
  pass(ms: number): void {
    this.passed += ms;
  }
  sleep(ms: number): void {
    this.slept += ms;
  }
}

describe('the clock that shares are booked with', () => {
  let clocks: TestClocks;
  let clock: PoolClock;
  beforeEach(() => {
    clocks = new TestClocks();
    clock = new PoolClock(clocks);
  });
  /** How far off the pool's clock is. */
  const off = (): number => clock.now() - clocks.time;
  const refused = () => expect(clock.check()).rejects.toThrow(ClocksDisagree);
  const passes = async (ms: number): Promise<void> => {
    for (let minute = 0; minute < ms; minute += 60_000) {
      clocks.pass(60_000);
      await clock.measure();
    }
  };

  it("is the database's when the process's is a day off at the start, and no day is closed", async () => {
    clocks.offsets.process = -DAY_MS;
    expect(off()).toBe(-DAY_MS);
    await refused();
    expect([off(), clock.offset]).toEqual([0, -86_400]);
    expect(clock.trouble).toContain("86400 s behind the database's");
    clocks.offsets.process = 30_000;
    await clock.check();
    expect(clock.trouble).toBeNull();
  });

  it('stays when the system clock is set while it runs, also before the next measurement', async () => {
    await clock.check();
    clocks.offsets.process = DAY_MS;
    expect(off()).toBe(0);
    await refused();
    await passes(2 * HOUR_MS);
    expect(off()).toBe(0);
    await refused();
  });

  it("stays when the database's clock is suddenly a day off; no day is closed until it is right", async () => {
    await clock.check();
    clocks.offsets.database = DAY_MS;
    await refused();
    expect(clock.trouble).toContain("The database's clock was set: it is 86400 s");
    await passes(2 * HOUR_MS);
    expect(off()).toBe(0);
    await refused();
    clocks.offsets.database = 0;
    expect(await clock.check()).toBe(clocks.time / 1000);
  });

  it("follows the database's when that was wrong at the start and is set right", async () => {
    clocks.offsets.database = -DAY_MS;
    await refused();
    expect(off()).toBe(-DAY_MS);
    clocks.offsets.database = 0;
    await clock.check();
    expect(off()).toBe(0);
  });

  it('stays when the one clock of server and database is set, and believes it after an hour', async () => {
    await clock.check();
    await passes(HOUR_MS);
    clocks.offsets = { database: DAY_MS, process: DAY_MS };
    await refused();
    expect(off()).toBe(0);
    clocks.offsets = { database: 0, process: 0 };
    await clock.check();
    clocks.offsets = { database: DAY_MS, process: DAY_MS };
    await refused();
    await passes(HOUR_MS - 60_000);
    await refused();
    await passes(60_000);
    await clock.check();
    expect(off()).toBe(DAY_MS);
  });

  it('is right at once after the machine slept', async () => {
    await clock.check();
    clocks.sleep(8 * HOUR_MS);
    await clock.check();
    expect([off(), clock.trouble]).toEqual([0, null]);
  });
});

describe('on a PostgreSQL', () => {
  const database = postgresOfFile();

  it('whose clock is a day ahead, at the start or suddenly, no day is closed', async () => {
    await insertUsers(database, 'alice');
    const name = new URL(database.url).pathname.slice(1);
    await database.pool.query(`
      create table clock_offset as select interval '1 day' as value;
      create function public.now() returns timestamptz language sql stable
        as 'select pg_catalog.now() + (select value from public.clock_offset)';
      alter database ${name} set search_path = public, pg_catalog`);
    const set = (value: string) => database.pool.query('update clock_offset set value = $1', [value]);
    await database.pool.query(
      `insert into account_1h (sub_account_id, algorithm, at, accepted, stale, rejected, shares)
       select id, 'SCRYPT', $1::timestamptz, 1e9, 0, 0, 1 from sub_account`,
      [`${dayOf(Date.now() / 1000)}T00:00:00Z`],
    );
    const standby = await openDatabase({ url: database.url, connections: 2 });
    try {
      const clock = new PoolClock(clocksOf(standby.pool));
      const options = {
        pool: standby.pool,
        bus: new Bus(),
        terms: { poolFeePercent: 1 },
        uncounted: async () => [],
        needsPrices: async () => false,
      };
      const close = dayCloser({ ...options, now: () => clock.check() });
      // A command has no clock that runs, and compares for itself.
      for (const closer of [close, dayCloser(options)])
        await expect(closer()).rejects.toMatchObject({ code: 'clocks_disagree' });
      await set('0');
      expect(await close()).toMatchObject({ days: 0 });
      await set('1 day');
      await expect(close()).rejects.toMatchObject({ code: 'clocks_disagree' });
      await expect(close.preview()).rejects.toMatchObject({ code: 'clocks_disagree' });
      expect(Math.abs(clock.now() - Date.now())).toBeLessThan(60_000);
      await set('0');
      expect((await close.preview()).days).toEqual([]);
    } finally {
      await standby.close();
    }
  });
});
