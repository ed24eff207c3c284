import type { FastifyRequest } from 'fastify';
import { databaseOfFile, emptyTables, insertUsers } from '../../platform/db/testing/test-database';
import type { Refused } from '../../platform/refused';
import { once } from './idempotency';
import type { Principal } from './principal';

const database = databaseOfFile();
let users: number[];
beforeEach(async () => {
  await emptyTables(database);
  await insertUsers(database, 'anna', 'ben');
  users = (await database.pool.query<{ id: number }>('select id from app_user order by id')).rows.map(({ id }) => id);
});

const DAY_S = 86_400;
/** Sends a request of anna's with a key; the answers are counted. */
const sender = () => {
  let made = 0;
  return async (
    key: string | undefined,
    { user = 0, at = 1e9, url = '/api/payments/', method = 'PUT', body = {} } = {},
  ) => {
    const request = { headers: { 'idempotency-key': key }, method, url, body } as unknown as FastifyRequest;
    const me = { user: { id: users[user] } } as Principal;
    try {
      const { answer, repeated } = await once(database.pool, me, request, at, async () => ({ made: (made += 1) }));
      return `${answer.made}${repeated ? ' again' : ''}`;
    } catch (error) {
      const { code, extra } = error as Refused;
      return [code, ...(extra.errors?.map(({ path }) => path) ?? [])].join(' ');
    }
  };
};

test('is answered as before to the same user for a day; others, and those without a key, are their own', async () => {
  const send = sender();
  expect([await send('k'), await send('k'), await send('k', { at: 1e9 + DAY_S })]).toEqual(['1', '1 again', '1 again']);
  expect([await send('k', { user: 1 }), await send('other'), await send(undefined), await send(undefined)]).toEqual([
    '2',
    '3',
    '4',
    '5',
  ]);
  expect([await send('k', { at: 1e9 + DAY_S + 1 }), await send('k', { user: 1 })]).toEqual(['6', '2 again']);
});

test.each([{ url: '/api/payments/?id=2' }, { method: 'POST' }, { body: { status: 'sent' } }])(
  'is refused for another request: %j',
  async (other) => {
    const send = sender();
    expect([await send('k'), await send('k', other), await send('k')]).toEqual([
      '1',
      'idempotency_key_reused',
      '1 again',
    ]);
  },
);

test.each([
  ['k'.repeat(128), '1'],
  ['!~', '1'],
  ['k'.repeat(129), 'invalid_request Idempotency-Key'],
  ['', 'invalid_request Idempotency-Key'],
  ['a b', 'invalid_request Idempotency-Key'],
  ['é', 'invalid_request Idempotency-Key'],
])('the key %j: %s', async (key, expected) => {
  expect(await sender()(key)).toBe(expected);
});
