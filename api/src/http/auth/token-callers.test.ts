import type { FastifyRequest } from 'fastify';
import { makeToken } from '../../accounts/access-tokens';
import { databaseOfFile, insertUsers } from '../../platform/db/testing/test-database';
import { TokenCallers } from './token-callers';

const database = databaseOfFile();
const HOUR_MS = 3_600_000;
let anna = 0;
beforeAll(async () => {
  await insertUsers(database, 'anna');
  anna = (await database.pool.query<{ id: number }>('select id from app_user')).rows[0]!.id;
});
afterEach(() => jest.useRealTimers());

const made = async (expiresAt: Date | null = null): Promise<string> => {
  const holder = { userId: anna, madeBy: anna, ip: '192.0.2.1' };
  return (await makeToken(database.pool, holder, 'api_key', { name: 'k', scopes: ['workers'], expiresAt })).token;
};
const SUBJECTS = ['workers', 'payments', 'sub-account-list', 'wallet'] as const;
/** The subjects that a call with the token may read, or the code of its refusal. */
const found = (callers: TokenCallers, token: string, scope: 'workers' | 'earnings' | 'any' = 'any') =>
  callers.find(token, { ip: '192.0.2.9' } as FastifyRequest, scope).then(
    (me) => me && SUBJECTS.filter((subject) => me.ability.can('read', subject)),
    (error: { code: string }) => error.code,
  );

test('reads what its scopes say and the lists that name it, which a legacy user does not have', async () => {
  const token = await made();
  expect(await found(new TokenCallers(database.pool, HOUR_MS), token)).toEqual(['workers', 'sub-account-list']);
  expect(await found(new TokenCallers(database.pool, HOUR_MS), token, 'earnings')).toBe('scope_missing');
  await database.pool.query('update app_user set is_legacy_user = true');
  expect(await found(new TokenCallers(database.pool, HOUR_MS), token)).toEqual(['workers']);
});

test('ends at its time, also where it is known from before', async () => {
  jest.useFakeTimers({ doNotFake: ['performance', 'setTimeout', 'setImmediate', 'nextTick', 'queueMicrotask'] });
  const end = Date.now() + HOUR_MS;
  const token = await made(new Date(end));
  const callers = new TokenCallers(database.pool, 2 * HOUR_MS);
  await found(callers, token);
  jest.setSystemTime(end - 1);
  expect(await found(callers, token)).toContain('workers');
  jest.setSystemTime(end);
  expect(await found(callers, token)).toBeNull();
});

test('is used six hundred times a minute, each for itself; ten wrong ones are tried', async () => {
  const callers = new TokenCallers(database.pool, HOUR_MS);
  const [one, other] = [await made(), await made()];
  for (let n = 0; n < 600; n += 1) expect(await found(callers, one)).toContain('workers');
  expect(await found(callers, one)).toBe('too_many_requests');
  expect(await found(callers, other)).toContain('workers');
  const wrong = [];
  for (let n = 0; n < 11; n += 1) wrong.push(await found(callers, `pk_${n}`));
  expect(wrong).toEqual([...Array<null>(10).fill(null), 'too_many_requests']);
});
