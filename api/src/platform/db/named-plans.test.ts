import { openDatabase, type Database } from './database';

let database: Database;
beforeAll(async () => {
  database = await openDatabase({});
});
afterAll(() => database.close());

const named = (name: string) => database.pool.query({ name, text: 'select $1::int as n', values: [1] });
const plans = async (name: string): Promise<{ generic: number; custom: number }> => {
  const { rows } = await database.pool.query(
    'select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements where name = $1',
    [name],
  );
  return rows[0];
};
const mode = async (): Promise<string> => (await database.pool.query('show plan_cache_mode')).rows[0].plan_cache_mode;

test('a statement with a name has one plan from its first run; one without is planned for its values', async () => {
  await named('first');
  await named('first');
  expect(await plans('first')).toEqual({ generic: 2, custom: 0 });
  expect(await mode()).toBe('auto');
});

test('so it is after a transaction that was rolled back', async () => {
  const client = await database.pool.connect();
  await client.query('begin');
  await client.query({ name: 'within', text: 'select 1' });
  await client.query('rollback');
  client.release();
  await named('after');
  expect(await plans('after')).toEqual({ generic: 1, custom: 0 });
});
