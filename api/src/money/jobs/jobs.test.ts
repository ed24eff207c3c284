/** A day is closed when it is over by the database's clock and all its shares are counted, whoever closes it. */
import pino from 'pino';
import { Bus } from '../../platform/bus';
import type { Database } from '../../platform/db/database';
import { emptyTables, testDatabase } from '../../platform/db/testing/test-database';
import { transaction } from '../../platform/db/transaction';
import { addDays, dayOf, startOfDay } from '../../platform/days';
import { countBatch } from '../../mining/shares/count-batch';
import type { Uncounted } from '../../mining/shares/uncounted';
import { dayCloser, type DayCloserOptions } from './close-days';
import { startJobs } from './jobs';

const TODAY = dayOf(Date.now() / 1000);
/** Ended more than ten minutes ago at any time of the day. */
const FINISHED = addDays(TODAY, -2);
const DAY_MS = 86_400_000;

let database: Database;
let sequence = 0;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const work = (day: string): Promise<unknown> =>
  transaction(database.pool, (client) =>
    countBatch(client, { proxyId: 'test', sequence: (sequence += 1) }, [
      {
        subAccountId: 1,
        algorithm: 'SCRYPT',
        worker: 'rig',
        at: startOfDay(day),
        span: 3600,
        accepted: 1e9,
        stale: 0,
        rejected: 0,
        shares: 1,
        lastShareAt: null,
      },
    ]),
  );
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
