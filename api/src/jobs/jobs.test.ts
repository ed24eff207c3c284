/** Days are closed by themselves, but not before the shares of an outage are counted. */
import pino from 'pino';
import { Bus } from '../bus';
import type { Database } from '../db/database';
import { testDatabase } from '../db/testing/test-database';
import { transaction } from '../db/transaction';
import { dayOf } from '../days';
import { countBatch } from '../shares/ingest';
import type { Uncounted } from '../shares/uncounted';
import { startJobs } from './jobs';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('waits for shares that wait themselves', async () => {
  const { pool } = database;
  const now = Math.floor(Date.now() / 86_400_000) * 86_400 + 7200;
  await pool.query("insert into app_user (id, identity_id, user_name) values (1, 'x', 'alice')");
  await pool.query("insert into sub_account (id, user_id, name) values (1, 1, 'alice')");
  await transaction(pool, (client) =>
    countBatch(client, { proxyId: 'test', sequence: 1 }, [
      {
        subAccountId: 1,
        algorithm: 'SCRYPT',
        worker: 'rig',
        at: now - 10_800,
        span: 3600,
        accepted: 1e9,
        stale: 0,
        rejected: 0,
        shares: 1,
        lastShareAt: null,
      },
    ]),
  );
  const lines: string[] = [];
  const run = async (missing: Uncounted[]): Promise<number> => {
    const jobs = startJobs({
      pool,
      bus: new Bus(),
      terms: { poolFeePercent: 1 },
      log: pino(
        { level: 'error' },
        {
          write: (line: string) => {
            lines.push(line);
          },
        },
      ),
      uncounted: async () => missing,
      now: () => now,
    });
    await jobs.stop();
    return (await pool.query<{ n: number }>('select count(*) as n from earning')).rows[0]?.n ?? -1;
  };
  const day = dayOf(now - 86_400);
  expect(await run([{ day, why: 'refused', lines: 3, paths: ['refused/x.jsonl'] }])).toBe(0);
  expect(lines.join('')).toContain(`3 shares of ${day} are refused (refused/x.jsonl)`);
  // What waits of the day under way is no reason.
  expect(await run([{ day: dayOf(now), why: 'waiting', lines: 3, paths: ['x.jsonl'] }])).toBe(1);
});
