/**
 * Migration 0396 with rows in the tables, on PostgreSQL: the build before counts on while it runs and beside this one;
 * when none of its processes is left, its keys go.
 */
import pg from 'pg';
import { countBatch } from '../shares/count-batch';
import { migrateTo } from './migrate';
import { migrateUntil } from './testing/migrations';
import { startCluster, type Cluster } from './testing/postgres';
import { transaction } from './transaction';

const STEPS = ['1m', '10m', '1h', '1d'] as const;
const AT = Math.floor(Date.now() / 86_400_000) * 86_400;

let cluster: Cluster;
let pool: pg.Pool;
beforeAll(async () => {
  cluster = await startCluster();
  pool = new pg.Pool({ connectionString: cluster.url, options: '-c timezone=UTC' });
  // A connection of a pool that has ended may still be open when PostgreSQL is stopped.
  pool.on('error', () => undefined);
  pool.on('error', () => undefined);
}, 120_000);
afterAll(async () => {
  await pool.end();
  await cluster.remove();
});

const ask = async (text: string, values: unknown[] = []): Promise<unknown[]> => (await pool.query(text, values)).rows;

/** One share of each of the workers 1 to 40 in each table, as the build before counts it. */
async function countAsBefore(): Promise<void> {
  for (const step of STEPS)
    await pool.query(
      `insert into share_${step} as t (worker_id, at, accepted, shares)
       select id, to_timestamp($1::float8), 1, 1 from generate_series(1, 40) id
       on conflict (worker_id, at) do update set accepted = t.accepted + excluded.accepted, shares = t.shares + excluded.shares`,
      [AT],
    );
  await pool.query(
    `insert into worker_live as t (worker_id, last_share_at) select id, now() from generate_series(1, 40) id
     on conflict (worker_id) do update set last_share_at = excluded.last_share_at`,
  );
  await pool.query(
    `insert into worker_alert as t (worker_id, kind) values (1, 'offline')
     on conflict (worker_id, kind) do update set active = true`,
  );
  await pool.query("insert into worker_presence (node_id, worker_id) values ('old', 1) on conflict do nothing");
}

/** Columns, keys, indexes and triggers of all tables, without those of the partitions. */
const SHAPE = `
  select concat_ws(' ', c.relname, attname, format_type(atttypid, atttypmod), attnotnull) as line
  from pg_attribute join pg_class c on c.oid = attrelid
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and attnum > 0
  union all
  select pg_get_indexdef(indexrelid) from pg_index join pg_class c on c.oid = indrelid
  where relnamespace = 'public'::regnamespace and not relispartition and relkind <> 't'
  union all
  select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(k.oid))
  from pg_constraint k join pg_class c on c.oid = conrelid
  where relnamespace = 'public'::regnamespace and not relispartition
  union all
  select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = tgrelid
  where not tgisinternal and not relispartition
  order by 1`;

it('nothing is lost, the build before counts on, and its keys go with its last process', async () => {
  const old = new pg.Client(cluster.url);
  await old.connect();
  await migrateUntil(old, '0398_minutes_by_time');
  await old.end();
  await pool.query(
    `insert into app_user (identity_id, user_name) select 'u' || i, 'user' || i from generate_series(1, 4) i;
     insert into sub_account (user_id, name) select i, 'user' || i from generate_series(1, 4) i;
     insert into worker_group (sub_account_id, name) select i, 'hall' from generate_series(1, 4) i;
     insert into worker (sub_account_id, algorithm, name, group_id)
     select 1 + i % 4, 'SCRYPT', 'rig' || i, 1 + i % 4 from generate_series(1, 200) i;
     insert into node (id, roles, place, build) values ('old', '{stratum}', 'here', 'before')`,
  );
  // Of each worker and of one that was deleted, in partitions and in those for the rest. One table is large enough to be
  // filled in parts: with little in each page.
  await pool.query('alter table share_1d set (fillfactor = 10)');
  for (const step of STEPS)
    await pool.query(
      `insert into share_${step} (worker_id, at, accepted, shares)
       select id, to_timestamp($1::float8) - n * interval '1 day', 10, 10
       from generate_series(1, 201) id, generate_series(0, $2::int) n`,
      [AT, step === '1d' ? 250 : 45],
    );
  await countAsBefore();
  const [{ events }] = (await ask(
    `with made as (insert into worker_event (worker_id, kind, at) select id, 'offline', now() from worker returning 1)
     select count(*)::int as events from made`,
  )) as [{ events: number }];
  const sums = `select ${STEPS.map((step) => `(select sum(shares) from share_${step})::int as "${step}"`).join(', ')}`;
  const before = (await ask(sums))[0] as Record<string, number>;

  let counted = 0;
  let isOver = false;
  const said: string[] = [];
  const migrated = migrateTo({ connectionString: cluster.url }, { say: (text) => said.push(text) }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await countAsBefore();
    counted += 1;
  }
  await migrated;
  expect(said).toEqual([expect.stringContaining('get keys by account')]);
  expect(counted).toBeGreaterThan(0);

  // Beside each other: what both count of a worker is one row.
  await countAsBefore();
  counted += 1;
  const bucket = { subAccountId: 2, algorithm: 'SCRYPT', worker: 'rig1', at: AT, lastShareAt: AT } as const;
  const count = (sequence: number): Promise<unknown> =>
    transaction(pool, (client) =>
      countBatch(client, { proxyId: 'new', sequence }, [
        { ...bucket, span: 60, accepted: 1, shares: 1, stale: 0, rejected: 0 },
      ]),
    );
  await count(1);
  await countAsBefore();
  counted += 1;
  expect(await ask(sums)).toEqual([
    Object.fromEntries(STEPS.map((step) => [step, (before[step] ?? 0) + counted * 40 + 1])),
  ]);
  for (const table of [
    ...STEPS.map((step) => `share_${step}`),
    'worker_live',
    'worker_presence',
    'worker_alert',
    'worker_event',
  ])
    expect(
      await ask(
        `select $1 as table, count(*)::int as wrong from ${table} t left join worker w on w.id = t.worker_id
         where t.sub_account_id <> coalesce(w.sub_account_id, 0)`,
        [table],
      ),
    ).toEqual([{ table, wrong: 0 }]);
  expect(await ask('select count(*)::int as events from worker_event')).toEqual([{ events }]);

  const end = async (): Promise<unknown> => (await ask('select drop_keys_by_worker() as "isOver"'))[0];
  expect(await end()).toEqual({ isOver: false });
  await pool.query("delete from node where id = 'old'");
  // Somebody reads a table: it is tried again later.
  const reader = await pool.connect();
  await reader.query('begin');
  await reader.query('select from share_1h');
  expect(await end()).toEqual({ isOver: false });
  await reader.query('rollback');
  reader.release();
  expect(await end()).toEqual({ isOver: true });
  expect(await end()).toEqual({ isOver: false });
  await expect(countAsBefore()).rejects.toThrow('no unique or exclusion constraint');
  await count(2);
  expect(await ask('select shares from share_1m where worker_id = 1 and at = to_timestamp($1)', [AT])).toEqual([
    { shares: 10 + counted + 1 + 2 },
  ]);

  // A database that was never otherwise looks the same.
  const shape = await ask(SHAPE);
  await pool.query('create database fresh');
  const url = new URL(cluster.url);
  url.pathname = '/fresh';
  await migrateTo({ connectionString: url.href });
  const fresh = new pg.Client(url.href);
  await fresh.connect();
  const { rows } = await fresh.query(SHAPE);
  await fresh.end();
  expect(shape).toEqual(rows);
}, 240_000);
