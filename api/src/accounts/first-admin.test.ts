/** The code for the first admin, at the real sign-up, on PostgreSQL: what matters is what happens at the same time. */
import { OPERATOR_COOKIE } from '@pool/shared/page-start';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../platform/db/database';
import { postgresDatabase } from '../platform/db/testing/postgres';
import { Browser, refusal, startService } from '../identity/testing/identity';
import { firstAdminCode } from './first-admin';
import { poolAccounts } from '../identity/people/pool-accounts';

let database: Database;
let app: FastifyInstance;
let addresses = 0;
const signUp = (name: string, operator: string) => {
  const browser = new Browser(app, `10.2.0.${++addresses}`);
  browser.cookies.set(OPERATOR_COOKIE, operator);
  return browser.signUp(name);
};
const admins = async (): Promise<string[]> =>
  (await database.pool.query<{ user_name: string }>("select user_name from app_user where role = 'admin'")).rows.map(
    (row) => row.user_name,
  );

beforeAll(async () => {
  database = await postgresDatabase();
  ({ app } = await startService(database.pool, poolAccounts(database.pool)));
});
afterAll(async () => {
  await app.close();
  await database.close();
});

test('a wrong code makes no account; of sign-ups at the same time with the right one, one is the admin', async () => {
  const code = (await firstAdminCode(database.pool)) ?? '';
  expect(await firstAdminCode(database.pool)).toBe(code);
  expect(refusal(await signUp('guesser', `${code.slice(1)}x`))).toBe('422 operator_code_used');
  expect(refusal(await signUp('guesser', ''))).toBe('422 operator_code_used');
  expect(await admins()).toEqual([]);
  const answers = await Promise.all([1, 2, 3, 4].map((n) => signUp(`boss-${n}`, code)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
  expect(await admins()).toHaveLength(1);
  expect((await database.pool.query('select 1 from app_user')).rows).toHaveLength(1);
  expect((await database.pool.query("select 1 from audit where action = 'user.first_admin'")).rows).toHaveLength(1);
});

test('it is used up, and there is no other as long as there is an admin', async () => {
  expect(await firstAdminCode(database.pool)).toBeNull();
  await database.pool.query("update app_user set role = 'miner'");
  const code = (await firstAdminCode(database.pool)) ?? '';
  await database.pool.query("update app_user set role = 'admin'");
  expect(refusal(await signUp('late', code))).toBe('422 operator_code_used');
  expect((await signUp('someone', code)).status).toBe(422);
  expect((await new Browser(app, '10.2.1.1').signUp('someone')).status).toBe(200);
});
