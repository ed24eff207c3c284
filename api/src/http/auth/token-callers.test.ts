import type { FastifyRequest } from 'fastify';
import { makeToken, revokeToken } from '../../accounts/access-tokens';
import { databaseOfFile, insertUsers } from '../../platform/db/testing/test-database';
import { TokenCallers } from './token-callers';

const database = databaseOfFile();
const HOUR_MS = 3_600_000;
const [ANNA, BEN] = [1, 2];
beforeAll(() => insertUsers(database, 'anna', 'ben'));
afterEach(() => jest.useRealTimers());
const stopClock = () =>
  jest.useFakeTimers({ doNotFake: ['performance', 'setTimeout', 'setImmediate', 'nextTick', 'queueMicrotask'] });

const make = (userId: number, kind: 'api_key' | 'watcher' = 'api_key', expiresAt: Date | null = null) =>
  makeToken(database.pool, { userId, madeBy: userId, ip: '192.0.2.1' }, kind, {
    name: 'k',
    scopes: ['workers', 'workers'],
    expiresAt,
  });
const made = async (expiresAt: Date | null = null): Promise<string> => (await make(ANNA, 'api_key', expiresAt)).token;
const SUBJECTS = ['workers', 'payments', 'sub-account-list', 'wallet'] as const;
/** The subjects that a call with the token may read, or the code of its refusal. */
const found = (callers: TokenCallers, token: string, scope: 'workers' | 'earnings' | 'any' = 'any') =>
  callers.find(token, { ip: '192.0.2.9' } as FastifyRequest, scope).then(
    (me) => me && SUBJECTS.filter((subject) => me.ability.can('read', subject)),
    (error: { code: string }) => error.code,
  );

test('reads what its scopes say and the lists that name it, which a legacy user does not have', async () => {
  const { id, token } = await make(ANNA);
  expect(await found(new TokenCallers(database.pool, HOUR_MS), token)).toEqual(['workers', 'sub-account-list']);
  const me = await new TokenCallers(database.pool, HOUR_MS).find(token, { ip: '' } as FastifyRequest, 'any');
  expect(me?.token).toEqual({ id, scopes: ['workers'], expiresAt: null });
  expect(await found(new TokenCallers(database.pool, HOUR_MS), token, 'earnings')).toBe('scope_missing');
  await database.pool.query('update app_user set is_legacy_user = true');
  expect(await found(new TokenCallers(database.pool, HOUR_MS), token)).toEqual(['workers']);
});

test('ends at its time, also where it is known from before', async () => {
  stopClock();
  const end = Date.now() + HOUR_MS;
  const token = await made(new Date(end));
  const callers = new TokenCallers(database.pool, 2 * HOUR_MS);
  await found(callers, token);
  jest.setSystemTime(end - 1);
  expect(await found(callers, token)).toContain('workers');
  jest.setSystemTime(end);
  expect(await found(callers, token)).toBeNull();
});

test('says when it was used, once a minute', async () => {
  stopClock();
  const start = Date.now();
  const callers = new TokenCallers(database.pool, HOUR_MS);
  const { id, token } = await make(ANNA);
  const used = async (afterMs: number): Promise<number> => {
    jest.setSystemTime(start + afterMs);
    await found(callers, token);
    const { rows } = await database.pool.query<{ at: Date }>(
      'select last_used_at as at from access_token where id = $1',
      [id],
    );
    return rows[0]!.at.getTime() - start;
  };
  expect([await used(0), await used(59_999), await used(60_000)]).toEqual([0, 0, 60_000]);
});

test('twenty of a kind are valid at a time, and the log has of each its beginning and what it opens', async () => {
  const mine = await Promise.all(Array.from({ length: 20 }, () => make(BEN)));
  await expect(make(BEN)).rejects.toMatchObject({ code: 'too_many_tokens' });
  await make(BEN, 'watcher');
  const { id, token } = mine[0]!;
  const prefix = token.slice(0, 8);
  await revokeToken(database.pool, BEN, 'api_key', id, '192.0.2.2');
  await make(BEN);
  const { rows } = await database.pool.query(
    `select user_id, action, ip, before, after from audit
     where subject = 'k' and coalesce(after, before) ->> 'id' = $1 order by id`,
    [id],
  );
  expect(rows).toEqual([
    {
      user_id: BEN,
      action: 'api_key.create',
      ip: '192.0.2.1',
      before: null,
      after: { id, prefix, scopes: ['workers'], expiresAt: null },
    },
    { user_id: BEN, action: 'api_key.revoke', ip: '192.0.2.2', before: { id, prefix }, after: null },
  ]);
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
