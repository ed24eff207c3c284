/** What `schema/` says of the tables is what the migrations make. */
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from './database';
import * as schema from './schema';
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
