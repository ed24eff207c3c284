/** A new, migrated database for a test file, through the same driver as in production. */
import { openDatabase, type Database } from '../database';
import { later } from '../../../testing/later';
import { newDatabase, postgresDatabase } from './postgres';

/** The embedded database in memory, whatever the other tests of the run use. Takes about a second of a core. */
export const embeddedDatabase = async (): Promise<Database> => openDatabase({});

/**
 * `const database = await testDatabase()` in beforeAll, `await database.close()` in afterAll: on the PostgreSQL of the
 * test run (TEST_DATABASE_URL, which must allow creating databases), else the embedded database. `statementMs`: how
 * long a statement may take, where that is not as in production.
 */
export async function testDatabase(statementMs?: number): Promise<Database> {
  const url = process.env.TEST_DATABASE_URL;
  return url ? newDatabase(url, undefined, statementMs) : embeddedDatabase();
}

/** The part of a database that tests ask. */
type Asked = Pick<Database, 'pool'>;

function ofFile<D extends Database>(make: () => Promise<D>): D {
  let database: D | undefined;
  beforeAll(async () => {
    database = await make();
  });
  afterAll(() => database?.close());
  return later(() => database);
}

/** Call it where the tests of a file, or of a `describe`, are: a new database for them, from the first to the last. */
export const databaseOfFile = (): Database => ofFile(testDatabase);

/** The same on a PostgreSQL, whatever the other tests of the run use. */
export const postgresOfFile = (connections?: number): Database & { url: string } =>
  ofFile(() => postgresDatabase(connections));

/** Users, each with its account; in an empty database they get the ids from 1 on. */
export async function insertUsers({ pool }: Asked, ...names: string[]): Promise<void> {
  await pool.query(
    `with made as (
       insert into app_user (identity_id, user_name)
       select 'user_' || n, name from unnest($1::text[]) with ordinality as given (name, n)
       returning id, user_name)
     insert into sub_account (user_id, name) select id, user_name from made order by id`,
    [names],
  );
}

/**
 * Empties every table (the append-only ones too), faster than a new database. Rows are deleted, because truncating
 * makes new files for each table and index; triggers and references are off within the statement.
 */
export async function emptyTables({ pool }: Asked): Promise<void> {
  await pool.query(`do $$
    declare
      used regclass;
    begin
      set local session_replication_role to replica;
      for used in
        select oid from pg_class
        where relnamespace = 'public'::regnamespace and (
          relkind = 'r' and pg_relation_size(oid) > 0
          -- On a Citus the rows of these are elsewhere.
          or oid in (select tgrelid from pg_trigger where tgname like 'truncate_trigger_%') and not relispartition)
        -- What names another table was made after it.
        order by oid desc
      loop
        execute format('delete from %s', used);
      end loop;
      perform setval(format('%I', sequencename), start_value, false) from pg_sequences
      where schemaname = 'public' and last_value is not null;
    end $$`);
}
