/** Retention times (architecture.md): 1 min steps 3 days, 10 min 40 days, 1 h a year, 1 d forever. */
import { databaseOfFile } from '../../platform/db/testing/test-database';
import { keepWithinTime } from './retention';
import { startOfDay } from '../../platform/days';

const DAY = 86_400;
/** Noon, far from the edges of partitions. */
const NOW = startOfDay('2026-11-20') + DAY / 2;
const TABLES = [
  'share_1m',
  'account_1m',
  'share_10m',
  'account_10m',
  'share_1h',
  'account_1h',
  'share_1d',
  'account_1d',
] as const;
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
