import { eventually } from '../../testing/eventually';
import { sql } from './querier';
import { postgresOfFile } from './testing/test-database';
import { together } from './together';

const LOCK = 1;
const database = postgresOfFile();

it('reads what is of one moment, while others write', async () => {
  const { pool } = database;
  const other = await pool.connect();
  await other.query(sql`select pg_advisory_lock(${LOCK})`);
  const names = sql`select name from setting where name = 'written meanwhile'`;
  const reading = together<Record<'first' | 'wait' | 'last', { name: string }>>(pool, 'test', {
    first: names,
    wait: sql`select pg_advisory_xact_lock(${LOCK})`,
    last: names,
  });
  const waits = sql`select from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted`;
  await eventually(async () => (await pool.query(waits)).rows.length > 0, 'a reader that waits');
  await other.query("insert into setting (name, value) values ('written meanwhile', '1')");
  await other.query(sql`select pg_advisory_unlock(${LOCK})`);
  const { first, last } = await reading;
  other.release();
  expect([first, last]).toEqual([[], []]);
  expect((await pool.query(names)).rows).toHaveLength(1);
});
