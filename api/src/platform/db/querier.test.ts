import { raw, sql } from './querier';

it('a value in SQL is a parameter, and SQL in SQL a part of its text', () => {
  const part = sql`b in (${2}, ${3})`;
  const { text, values } = sql`select ${raw('id')} from t where a = ${1} and ${part} limit ${4}`;
  expect([text, values]).toEqual(['select id from t where a = $1 and b in ($2, $3) limit $4', [1, 2, 3, 4]]);
  expect(sql`${raw('select 1')}`).toMatchObject({ text: 'select 1', values: [] });
});
