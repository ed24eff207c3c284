/** What `schema/` says of the tables is what the migrations make. */
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from './database';
import * as schema from './schema';
import * as shares from './schema/shares';
import { embeddedDatabase } from './testing/test-database';

let database: Database;
beforeAll(async () => {
  database = await embeddedDatabase();
});
afterAll(() => database.close());

const tables = Object.values(schema)
  .filter((value) => value instanceof PgTable)
  .map(getTableConfig);
/** Serial numbers are integers with a default. */
const typeOf = (sqlType: string): string => sqlType.replace('bigserial', 'bigint').replace('serial', 'integer');

/** Of an index that the schema gives no name. */
const nameOf = (table: string, columns: readonly object[]): string =>
  [table, ...columns.map((column) => ('name' in column ? column.name : '?')), 'index'].join('_');

it('columns: names, types, whether they may be null and have a default', async () => {
  const { rows } = await database.pool.query<{ line: string }>(`
    select concat_ws(' ', relname, attname, format_type(atttypid, atttypmod),
      case when attnotnull then 'not null' end, case when atthasdef or attidentity <> '' then 'default' end) as line
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and attnum > 0 and not attisdropped`);
  const declared = tables.flatMap(({ name, columns }) =>
    columns.map((column) =>
      [name, column.name, typeOf(column.getSQLType()), column.notNull && 'not null', column.hasDefault && 'default']
        .filter(Boolean)
        .join(' '),
    ),
  );
  expect(declared.sort()).toEqual(rows.map(({ line }) => line).sort());
});

it('indexes and checks', async () => {
  const { rows } = await database.pool.query<{ line: string }>(`
    select relname || ' ' || conname as line from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'c' and not relispartition and relnamespace = 'public'::regnamespace
    union all
    select tablename || ' ' || indexname from pg_indexes
    join pg_class on relname = tablename and relnamespace = 'public'::regnamespace and not relispartition
    where schemaname = 'public'
      and not exists (select from pg_constraint where conname = indexname and contype in ('p', 'u'))`);
  const declared = tables.flatMap(({ name, indexes, checks }) => [
    ...indexes.map(({ config }) => `${name} ${config.name ?? nameOf(name, config.columns)}`),
    ...checks.map((check) => `${name} ${check.name}`),
  ]);
  expect(declared.sort()).toEqual(rows.map(({ line }) => line).sort());
});

/**
 * Tables on the path of shares that can be distributed by account as they are (Citus): each key begins with it, foreign
 * keys contain it. The others with what that takes (docs/scale.md).
 */
const BY_ACCOUNT = ['account_10m', 'account_1d', 'account_1h', 'account_1m', 'earning'];
const OF_A_WORKER = 'keyed by the worker, whose account is in "worker" only';
const NOT_YET: Record<string, string> = {
  ingest_batch: 'of a node: a batch has shares of many accounts, so it is a reference table',
  share_10m: OF_A_WORKER,
  share_1d: OF_A_WORKER,
  share_1h: OF_A_WORKER,
  share_1m: OF_A_WORKER,
  upstream_day: 'of the pool: a few rows a day, a reference table',
  worker: 'its number is a key of its own, as is that of its group',
  worker_live: OF_A_WORKER,
  worker_presence: OF_A_WORKER,
};

it('tables on the path of shares are keyed by account first, or named with the reason', async () => {
  const path = [...Object.values(shares), schema.worker, schema.workerPresence, schema.earning].map(
    (table) => getTableConfig(table).name,
  );
  // A foreign key holds if it has the account in it. Nulls are indexes over expressions.
  const { rows } = await database.pool.query<{ table: string }>(
    `with keys as (
       select indrelid as relid, indkey[0] as first from pg_index where indisunique
       union all
       select conrelid, case when a.attnum = any(conkey) then a.attnum end
       from pg_constraint
       left join pg_attribute a on attrelid = conrelid and attname = 'sub_account_id'
       where contype = 'f')
     select c.relname as table
     from keys
     join pg_class c on c.oid = relid
     left join pg_attribute a on attrelid = relid and attnum = first and attname = 'sub_account_id'
     where c.relname = any($1)
     group by c.relname
     having bool_and(a.attname is not null)
     order by 1`,
    [path],
  );
  expect(rows.map(({ table }) => table)).toEqual(BY_ACCOUNT);
  expect(path.sort()).toEqual([...BY_ACCOUNT, ...Object.keys(NOT_YET)].sort());
});
