/** What a look at many workers costs, on a real PostgreSQL. HEAVY=1: 10,000 of them with ten days behind them. */
import { postgresDatabase } from '../platform/db/testing/postgres';
import { runAlerts } from './engine';

const HEAVY = process.env.HEAVY !== undefined;
const WORKERS = HEAVY ? 10_000 : 500;
const DAYS = HEAVY ? 10 : 2;
const ACCOUNTS = 50;

it('a look at many workers takes less than a second, when all is well and when half of them are lost', async () => {
  const { pool, close } = await postgresDatabase(5, 600_000);
  try {
    const now = Math.floor(Date.now() / 600_000) * 600 + 570;
    const run = (text: string, values: unknown[] = []) => pool.query(text, values);
    await run(
      "insert into app_user (identity_id, user_name) select 'u' || i, 'user' || i from generate_series(1, $1::int) i",
      [ACCOUNTS],
    );
    await run("insert into sub_account (user_id, name) select i, 'user' || i from generate_series(1, $1::int) i", [
      ACCOUNTS,
    ]);
    await run(
      `insert into worker (sub_account_id, algorithm, name) select 1 + i % $1::int, 'SHA256_ASICBOOST', 'rig' || i
       from generate_series(1, $2::int) i`,
      [ACCOUNTS, WORKERS],
    );
    await run(
      `insert into worker_live (sub_account_id, worker_id, last_share_at)
       select sub_account_id, id, to_timestamp($1::float8 - id % 60) from worker`,
      [now],
    );
    await run(
      `insert into share_10m (sub_account_id, worker_id, at, accepted, shares)
       select w.sub_account_id, w.id, to_timestamp($1::float8 - t * 600), 1000, 60
       from generate_series(143, 0, -1) t, worker w
       order by t desc, w.id`,
      [Math.floor(now / 600) * 600],
    );
    for (let day = DAYS - 1; day >= 0; day -= 1) {
      await run(
        `insert into share_1h (sub_account_id, worker_id, at, accepted, shares)
         select w.sub_account_id, w.id, to_timestamp($1::float8 - t * 3600), 6000, 360
         from generate_series($2::int, $3::int) t, worker w
         order by t desc, w.id`,
        [Math.floor(now / 3600) * 3600, day * 24, day * 24 + 23],
      );
    }
    await run('vacuum analyze');
    const look = async (at: number): Promise<{ ms: number; told: number }> => {
      const begin = performance.now();
      const told = await runAlerts(pool, at);
      return { ms: performance.now() - begin, told: told.length };
    };
    await look(now - 120);
    const well = await look(now);
    await run('update worker_live set last_share_at = to_timestamp($1::float8 - 900) where worker_id % 2 = 0', [now]);
    await run(
      `update setting
       set value = value || jsonb_build_object(
          'ranAt', $1::float8, 'up', '{}'::jsonb || jsonb_build_object('SHA256_ASICBOOST', 0, 'SCRYPT', 0)
        )
       where name = 'alerts.state'`,
      [now],
    );
    const lost = await look(now + 60);
    const after = await look(now + 120);
    process.stdout.write(`alerts, ${WORKERS} workers: ${JSON.stringify({ well, lost, after })}\n`);
    expect(well.told).toBe(0);
    expect(lost.told).toBe(ACCOUNTS / 2);
    expect(after.told).toBe(0);
    for (const { ms } of [well, lost, after]) expect(ms).toBeLessThan(1000);
  } finally {
    await close();
  }
});
