import type { Endpoint } from '@pool/shared/api/contract';
import { databaseOfFile, insertUsers } from '../../platform/db/testing/test-database';
import { checkAccountLimit, factsOf, isHidden } from './account-limits';
import type { Principal } from './principal';

const database = databaseOfFile();
beforeAll(async () => {
  await insertUsers(database, 'own', 'other');
  await database.pool.query(
    `insert into worker (id, sub_account_id, name, algorithm)
     select s.id * 10, s.id, 'rig', 'SCRYPT' from sub_account s`,
  );
});

const limitedTo = (accounts: number[] | null) => ({ member: { accounts } }) as unknown as Principal;
const mayDo = (me: Principal | null, names: Endpoint['names'], given: object): Promise<unknown> =>
  checkAccountLimit(database.pool, me, names, { params: undefined, query: undefined, body: undefined, ...given }).then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

// Sub-account 1 has worker 10, sub-account 2 has worker 20.
test.each<[Endpoint['names'], object, string]>([
  ['account', { query: { subAccountId: 1 } }, 'done'],
  ['account', { query: { subAccountId: 2 } }, 'not_found'],
  ['account', { body: { subAccountId: 2 } }, 'not_found'],
  ['account', {}, 'done'],
  ['workers', { params: { id: 10 }, query: { worker: 10 }, body: { ids: [10] } }, 'done'],
  ['workers', { params: { id: 20 } }, 'not_found'],
  ['workers', { query: { worker: 20 } }, 'not_found'],
  ['workers', { body: { ids: [10, 20] } }, 'not_found'],
  ['workers', { body: { ids: [30] } }, 'done'],
  [undefined, { query: { subAccountId: 2 }, params: { id: 20 } }, 'done'],
])('a member who is limited to one sub-account, a call that names %s: %j: %s', async (names, given, expected) => {
  expect(await mayDo(limitedTo([1]), names, given)).toBe(expected);
  for (const whole of [limitedTo(null), {} as Principal, null]) expect(await mayDo(whole, names, given)).toBe('done');
});

test('another sub-account is hidden from who is limited, and nothing from others', () => {
  expect([1, 2].map((id) => isHidden(limitedTo([1]), id))).toEqual([false, true]);
  for (const whole of [limitedTo(null), {}]) expect(isHidden(whole, 2)).toBe(false);
  const viewer = { role: 'viewer', money: true } as const;
  expect([[1], null].map((accounts) => factsOf({ ...viewer, accounts }))).toEqual([
    { ...viewer, limited: true },
    { ...viewer, limited: false },
  ]);
});
