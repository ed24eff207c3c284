/** A day is closed when it is over by the database's clock and all its shares are counted, whoever closes it. */
import { isDeepStrictEqual } from 'node:util';
import pino from 'pino';
import { Bus } from '../../platform/bus';
import type { Database } from '../../platform/db/database';
import { FailingStatements } from '../../platform/db/testing/failing';
import { postgresDatabase } from '../../platform/db/testing/postgres';
import { emptyTables, databaseOfFile } from '../../platform/db/testing/test-database';
import { addDays, dayOf, startOfDay } from '../../platform/days';
import { countWork } from '../../mining/shares/testing/count-work';
import type { Uncounted } from '../../mining/shares/uncounted';
import { dayCloser, type DayCloserOptions } from './close-days';
import { startJobs } from './jobs';
import { insertUsers } from './testing/miners';

const TODAY = dayOf(Date.now() / 1000);
/** Ended more than ten minutes ago at any time of the day. */
const FINISHED = addDays(TODAY, -2);
const DAY_MS = 86_400_000;

const database = databaseOfFile();

const work = (day: string) => countWork(database.pool, [{ algorithm: 'SCRYPT', at: startOfDay(day), accepted: 1e9 }]);
const closer = (options: Partial<DayCloserOptions> = {}) =>
  dayCloser({
    pool: database.pool,
    bus: new Bus(),
    terms: { poolFeePercent: 1 },
    uncounted: async () => [],
    needsPrices: async () => false,
    ...options,
  });
const paid = async (): Promise<string[]> =>
  (await database.pool.query<{ day: string }>('select day from earning order by 1')).rows.map(({ day }) => day);
const missing = (day: string): Uncounted => ({ day, why: 'refused', lines: 3, paths: ['refused/x.jsonl'] });

beforeEach(async () => {
  await emptyTables(database);
  await database.pool.query("insert into app_user (id, identity_id, user_name) values (1, 'x', 'alice')");
  await database.pool.query("insert into sub_account (id, user_id, name) values (1, 1, 'alice')");
});
afterEach(() => {
  jest.restoreAllMocks();
});

it.each([-1, 1])(
  "closes nothing while the process's clock is %i days off, and goes on when it is right",
  async (days) => {
    await work(FINISHED);
    await work(TODAY);
    const own = Date.now;
    const off = jest.spyOn(Date, 'now').mockImplementation(() => own() + days * DAY_MS);
    const job = () => startJobs({ pool: database.pool, log: pino({ level: 'silent' }), closeDays: closer() });
    const first = job();
    await first.stop();
    expect(first.lastRun()).toMatchObject({ failed: ['partitions', 'closing'], daysClosed: 0 });
    await expect(closer()(FINISHED)).rejects.toMatchObject({ code: 'clocks_disagree' });
    expect(await paid()).toEqual([]);
    off.mockRestore();
    await job().stop();
    await expect(closer()(TODAY)).rejects.toMatchObject({ code: 'day_not_finished' });
    expect(await paid()).toEqual([FINISHED]);
  },
);

it('closes no day in the first ten minutes after its end', async () => {
  await work(FINISHED);
  const at = (seconds: number) => ({ now: async () => startOfDay(addDays(FINISHED, 1)) + seconds });
  await expect(closer(at(1))(FINISHED)).rejects.toMatchObject({ code: 'day_not_finished' });
  expect(await closer(at(599))()).toMatchObject({ days: 0 });
  expect(await closer(at(600))()).toMatchObject({ days: 1, accounts: 1 });
});

it('closes days up to the first with uncounted work, names it, and continues once it is counted', async () => {
  const [first, second, third] = [-5, -4, -3].map((n) => addDays(TODAY, n)) as [string, string, string];
  for (const day of [first, second, third]) await work(day);
  const why = { code: 'day_not_counted', message: expect.stringContaining(`3 shares of ${second} are refused`) };
  const uncounted = { uncounted: async () => [missing(second), missing(TODAY)] };
  await expect(closer(uncounted)()).rejects.toMatchObject(why);
  expect(await paid()).toEqual([first]);
  await expect(closer(uncounted)(second)).rejects.toMatchObject(why);
  expect(await paid()).toEqual([first]);

  const partition = `share_1m_${addDays(TODAY, 2).replaceAll('-', '')}`;
  await database.pool.query(`drop table ${partition}`);
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  const jobs = startJobs({ pool: database.pool, log, closeDays: closer(uncounted) });
  await jobs.stop();
  expect(lines.join('')).toContain('(refused/x.jsonl)');
  // The job creates partitions although a day cannot be closed.
  const { rows } = await database.pool.query('select to_regclass($1) as partition', [partition]);
  expect(rows).toEqual([{ partition }]);
  expect(await paid()).toEqual([first]);

  await closer({ now: async () => startOfDay(FINISHED) + 3600 })();
  expect(await paid()).toEqual([first, second, third]);
  // Uncounted work of a closed day is late work: it does not prevent closing later days.
  await work(FINISHED);
  await closer(uncounted)();
  expect(await paid()).toEqual([first, second, third, FINISHED]);
});

const ago = (days: number) => addDays(TODAY, -days);
it.each<[left: [why: Uncounted['why'], day: string][], named: string | undefined, closed: string[] | null]>([
  // What comes first keeps the rest open, in whatever order it is found.
  [
    [
      ['refused', ago(3)],
      ['waiting', ago(4)],
    ],
    undefined,
    [ago(5)],
  ],
  [
    [
      ['waiting', ago(4)],
      ['refused', ago(3)],
    ],
    undefined,
    [ago(5)],
  ],
  // A day is closed by itself while work of another one is missing; what a node has not counted may be of any later.
  [[['refused', ago(4)]], ago(4), null],
  [[['refused', ago(4)]], ago(5), [ago(5)]],
  [[['node', ago(5)]], ago(5), null],
  [[['node', ago(5)]], ago(4), null],
  [[['node', ago(4)]], ago(5), [ago(5)]],
  [[['node', TODAY]], undefined, [ago(5), ago(4), ago(3)]],
])('with %j uncounted, naming %s closes %j', async (left, named, closed) => {
  for (const days of [5, 4, 3]) await work(ago(days));
  const uncounted = async () => left.map(([why, day]): Uncounted => ({ ...missing(day), why }));
  const at = { now: async () => startOfDay(TODAY), uncounted };
  const done = closer(at)(named);
  if (left.some(([, day]) => day < TODAY) && (named === undefined || closed === null))
    await expect(done).rejects.toMatchObject({ code: 'day_not_counted' });
  else await done;
  expect(await paid()).toEqual(closed ?? []);
});

it('late work of a closed day keeps no other day open, but what a node has not counted does', async () => {
  for (const days of [5, 4]) await work(ago(days));
  const left = (why: Uncounted['why']) => ({
    now: async () => startOfDay(TODAY),
    uncounted: async (): Promise<Uncounted[]> => [{ ...missing(ago(4)), why }],
  });
  await closer({ now: async () => startOfDay(ago(2)) })();
  await work(ago(3));
  await expect(closer(left('node'))()).rejects.toMatchObject({ code: 'day_not_counted' });
  expect(await paid()).toEqual([ago(5), ago(4)]);
  await closer(left('refused'))();
  expect(await paid()).toEqual([ago(5), ago(4), ago(3)]);
});

/** What the daily job of a small pool's two days leaves in a new database. */
const LEFT = `select
  (select json_agg((sub_account_id, day, gross_sat, fee_sat, net_sat) order by day, sub_account_id)
   from earning) as earnings,
  (select json_agg(e order by e::text)
   from (select party, coalesce(sub_account_id, user_id), kind, sum(amount_sat)
         from ledger group by 1, 2, 3) e) as booked,
  (select json_agg((party, owner_id, owed_sat) order by party, owner_id) from balance) as owed,
  (select json_agg((sub_account_id, amount_sat, status, reason, trigger) order by sub_account_id, trigger)
   from payment) as payments,
  (select json_agg((referrer_id, day, amount_sat, status) order by referrer_id, day) from referral_accrual) as accrued,
  (select json_agg((user_id, kind, values) order by user_id, kind, values::text) from notification) as told,
  (select value from setting where name = 'accounting.closed_through') as closed,
  (select json_agg(relname order by relname) from pg_class where relispartition) as partitions`;

describe('the daily job, cut off at one of its statements, is made good by its next run', () => {
  /** Distance of the statements that are tried; HEAVY=1: all are. */
  const STEP = process.env.HEAVY ? 1 : 36;
  let own: Database;
  let failing: FailingStatements;
  beforeAll(async () => {
    own = await postgresDatabase(4);
    failing = new FailingStatements(own.pool);
  });
  afterAll(() => own.close());

  /** The job is cut off at its `n`th statement and run again. Null: it has fewer. */
  async function cutAt(n: number, failure: 'lost' | 'unheard'): Promise<unknown> {
    const { pool } = own;
    await insertUsers(own);
    await pool.query(
      `insert into referral (user_id, referrer_id, activated_at) values (3, 2, '2026-01-02Z');
       update app_user set referral_address = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' where id = 2;
       insert into ledger (party, user_id, kind, amount_sat, ref)
       values ('referrer', 2, 'referral', 20000, 'x'), ('pool', null, 'referral', -20000, 'x');
       drop table share_1m_${addDays(TODAY, 2).replaceAll('-', '')}`,
    );
    const days = [FINISHED, addDays(FINISHED, -1)].map(startOfDay);
    await countWork(
      pool,
      days.flatMap((at) => [1, 2, 3].map((account) => ({ subAccountId: account, at, accepted: account * 5e10 }))),
    );
    // Yesterday is closed ten minutes after its end.
    const now = async () => startOfDay(TODAY) + 3600;
    const run = () => startJobs({ pool, log: pino({ level: 'silent' }), closeDays: closer({ pool, now }) }).stop();
    const { failed } = await failing.during(n, failure, run);
    if (n > 0 && !failed) return null;
    await run();
    return (await pool.query(LEFT)).rows[0];
  }

  it.each(['lost', 'unheard'] as const)('the connection is %s', async (failure) => {
    const whole = await cutAt(0, failure);
    expect(whole).toMatchObject({ closed: addDays(TODAY, -1), accrued: [{ f4: 'payable' }, { f4: 'payable' }] });
    const others: [number, unknown][] = [];
    for (let n = 1, left; n === 1 || left !== null; n += STEP) {
      left = await cutAt(n, failure);
      if (left !== null && !isDeepStrictEqual(left, whole)) others.push([n, left]);
    }
    expect(others).toEqual([]);
  });
});
