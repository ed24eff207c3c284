import { firstRow, oneRow, rowsOf, sql } from './querier';
import { postgresOfFile } from './testing/test-database';

const database = postgresOfFile();

it('a row has its columns as in code, by whatever it is read', async () => {
  const { pool } = database;
  const select = sql`select n, 10 * n as user_id, null as paid_at_2 from generate_series(1, 2) n`;
  const [first, second] = [1, 2].map((n) => ({ n, userId: 10 * n, paidAt_2: null }));
  expect(await rowsOf(pool)`${select}`).toEqual([first, second]);
  expect(await rowsOf(pool, select.text)).toEqual([first, second]);
  expect(await firstRow(pool)`${select}`).toEqual(first);
  expect(await oneRow(pool)`${select}`).toEqual(first);
  expect(await firstRow(pool)`${select} limit 0`).toBeUndefined();
  await expect(oneRow(pool)`${select} limit 0`).rejects.toThrow('no row');
});
