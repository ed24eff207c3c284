/** The account of a pool that says who the team is. */
import type { AddressInfo } from 'node:net';
import { PASSWORD, testApp, type TestApp } from '../../api/src/http/testing/test-app';
import { assertAccount, poolAt } from './pool';

let test: TestApp;
let pool: URL;
beforeAll(async () => {
  test = await testApp();
  await test.person('power-team');
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  pool = poolAt(`http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`);
});
afterAll(() => test.close());

it('counts with its password, and stays signed in nowhere', async () => {
  const active = async () =>
    (await test.database.pool.query("select from identity_session where status = 'active'")).rowCount;
  const before = await active();
  Object.assign(process.env, { POOL_USER: 'power-team', POOL_PASSWORD: PASSWORD });
  await assertAccount(pool);
  expect(await active()).toBe(before);
});

it.each([
  ['power-team', 'a guess 17', 'form_password_or_identifier_incorrect'],
  ['other-team', PASSWORD, 'form_password_or_identifier_incorrect'],
])('%s with %s is nobody', async (user, password, why) => {
  Object.assign(process.env, { POOL_USER: user, POOL_PASSWORD: password });
  await expect(assertAccount(pool)).rejects.toThrow(`POOL_USER '${user}' cannot sign in: ${why}`);
});
