/** Passkeys, with a device that signs as real ones do. */
import { Browser, HOST, PASSWORD, refusal, type Answer } from '../testing/identity';
import { flowId, linkIn, mailedService } from '../testing/mailed';
import { PasskeyDevice } from '../testing/passkey-device';
import { relyingParty } from './passkey-question';

const pool = mailedService();
/** TLS ends at a proxy: browsers know this origin, the server is asked by http. */
const ORIGIN = `https://${HOST}`;

type Passkey = { id: string; name: string; last_used_at: number | null; verification: { nonce: string } };
type User = { passkeys: Passkey[]; two_factor_enabled: boolean };
const passkeyIn = ({ body }: Answer): Passkey => body.response as unknown as Passkey;
const nonceIn = ({ body }: Answer): string =>
  (body.response as unknown as { first_factor_verification: { nonce: string } }).first_factor_verification.nonce;
const statusIn = ({ body }: Answer): string => String(body.response?.status);
const userOf = async (browser: Browser): Promise<User> => (await browser.session())?.user as unknown as User;
const session = async (browser: Browser) => `/client/sessions/${(await browser.session())?.id}`;

const asked = (browser: Browser) => browser.ask('POST', '/me/passkeys', {});
const confirm = (browser: Browser, id: string, answer: string) =>
  browser.ask('POST', `/me/passkeys/${id}/attempt_verification`, {
    strategy: 'passkey',
    public_key_credential: answer,
  });
async function added(browser: Browser, device = new PasskeyDevice(ORIGIN)): Promise<PasskeyDevice> {
  const { id, verification } = passkeyIn(await asked(browser));
  expect((await confirm(browser, id, device.create(verification.nonce))).status).toBe(200);
  return device;
}

const begin = (browser: Browser) => browser.ask('POST', '/client/sign_ins', { strategy: 'passkey' });
const attempt = (browser: Browser, id: string, answer: string) =>
  browser.ask('POST', `/client/sign_ins/${id}/attempt_first_factor`, {
    strategy: 'passkey',
    public_key_credential: answer,
  });
async function signIn(device: PasskeyDevice, browser = new Browser(pool.app, '10.0.0.5')): Promise<Answer> {
  const begun = await begin(browser);
  return attempt(browser, flowId(begun), device.get(nonceIn(begun)));
}
/** Makes every sign-in a long-ago one. */
const age = () => pool.rows(`update identity_session set signed_in_at = '2020-01-01', second_factor_at = '2020-01-01'`);

it('is added, renamed, used and removed, and the user is told in the bell and by mail', async () => {
  const owner = await pool.member('anna');
  const device = await added(owner);
  const [passkey] = (await userOf(owner)).passkeys;
  expect(passkey).toMatchObject({ name: 'Passkey', last_used_at: null });
  expect((await pool.smtp.mail(/passkey was added/)).text).toContain('Passkey');
  await owner.ask('PATCH', `/me/passkeys/${passkey?.id}`, { name: ' Phone ' });

  const elsewhere = new Browser(pool.app, '10.0.0.5');
  const entered = { object: 'sign_in', status: 'complete', identifier: 'anna' };
  expect((await signIn(device, elsewhere)).body.response).toMatchObject(entered);
  const [used] = (await userOf(elsewhere)).passkeys;
  expect(used).toMatchObject({ name: 'Phone', last_used_at: expect.any(Number) as number });

  expect((await owner.ask('DELETE', `/me/passkeys/${passkey?.id}`, {})).body.response).toMatchObject({ deleted: true });
  expect((await userOf(owner)).passkeys).toEqual([]);
  const { body } = await owner.ask('POST', `${await session(owner)}/verify`, {});
  expect(body.response?.supported_first_factors).toEqual([{ strategy: 'password' }]);
  expect((await pool.smtp.mail(/passkey was removed/)).text).toContain('Phone');
  expect(refusal(await signIn(device))).toBe('422 passkey_refused');
  expect(await pool.kinds()).toEqual(['passkey_added', 'sign_in_new', 'passkey_removed']);
  const audit = await pool.rows<{ action: string }>(
    `select action from audit where action like 'passkey.%' order by id`,
  );
  expect(audit.map(({ action }) => action)).toEqual(['passkey.added', 'passkey.removed']);
});

it('counts as password and code: for the sign-in, and for what needs a recent one', async () => {
  const owner = await pool.member('anna');
  const device = await added(owner);
  await pool.withTwoStep(owner);
  const browser = new Browser(pool.app, '10.0.0.5');
  expect(statusIn(await signIn(device, browser))).toBe('complete');
  // Neither password nor code was given in this browser.
  expect((await browser.ask('POST', '/me/backup_codes/', {})).status).toBe(200);

  await age();
  expect(refusal(await asked(browser))).toBe('403 session_reverification_required');
  const at = await session(browser);
  const verify = await browser.ask('POST', `${at}/verify`, { level: 'multi_factor' });
  expect(verify.body.response?.supported_first_factors).toEqual([{ strategy: 'password' }, { strategy: 'passkey' }]);
  const prepare = (strategy: string) => browser.ask('POST', `${at}/verify/prepare_first_factor`, { strategy });
  expect(refusal(await prepare('password'))).toBe('422 strategy_for_user_invalid strategy');
  const prepared = await prepare('passkey');
  expect((JSON.parse(nonceIn(prepared)) as { allowCredentials: unknown[] }).allowCredentials).toHaveLength(1);
  const done = await browser.ask('POST', `${at}/verify/attempt_first_factor`, {
    strategy: 'passkey',
    public_key_credential: device.get(nonceIn(prepared)),
  });
  expect(statusIn(done)).toBe('complete');
  expect((await browser.ask('POST', '/me/backup_codes/', {})).status).toBe(200);
});

it('of another user confirms nothing', async () => {
  const device = await added(await pool.member('mallory'));
  const owner = await pool.member('anna');
  await added(owner);
  await age();
  const at = await session(owner);
  const prepared = await owner.ask('POST', `${at}/verify/prepare_first_factor`, { strategy: 'passkey' });
  const done = await owner.ask('POST', `${at}/verify/attempt_first_factor`, {
    strategy: 'passkey',
    public_key_credential: device.get(nonceIn(prepared)),
  });
  expect(refusal(done)).toBe('422 passkey_refused');
  expect(refusal(await owner.ask('POST', '/me/totp', {}))).toBe('403 session_reverification_required');
});

it('takes a recent sign-in to add and to remove, with the code when two-step sign-in is on', async () => {
  const owner = await pool.member('anna');
  await added(owner);
  const [passkey] = (await userOf(owner)).passkeys;
  await pool.withTwoStep(owner);
  await age();
  await pool.rows(`update identity_session set signed_in_at = now()`);
  const remove = () => owner.ask('DELETE', `/me/passkeys/${passkey?.id}`, {});
  expect(refusal(await asked(owner))).toBe('403 session_reverification_required');
  expect(refusal(await remove())).toBe('403 session_reverification_required');
  // Nobody else's either, and no other is found.
  const other = await pool.member('bela');
  expect(refusal(await other.ask('DELETE', `/me/passkeys/${passkey?.id}`, {}))).toBe('404 resource_not_found');
  expect(refusal(await other.ask('PATCH', `/me/passkeys/${passkey?.id}`, { name: 'mine' }))).toBe(
    '404 resource_not_found',
  );
});

describe('refused is', () => {
  it.each<[string, (device: PasskeyDevice) => void]>([
    ['a page of another site', (device) => (device.origin = 'https://pool.test.evil.example')],
    ['a device that does not verify its user', (device) => (device.verifiesUser = false)],
    ['another user', (device) => (device.userHandle = Buffer.from('user_other').toString('base64url'))],
  ])('%s', async (_, change) => {
    const device = await added(await pool.member('anna'));
    change(device);
    expect(refusal(await signIn(device))).toBe('422 passkey_refused');
  });

  it('a counter that goes back: a copy of the key', async () => {
    const device = await added(await pool.member('anna'));
    await signIn(device);
    device.counter = 0;
    expect(refusal(await signIn(device))).toBe('422 passkey_refused');
  });

  it('one of two answers of the same count at once: the key was copied', async () => {
    const device = await added(await pool.member('anna'));
    const browsers = [new Browser(pool.app, '10.0.0.5'), new Browser(pool.app, '10.0.0.6')];
    const begun = await Promise.all(browsers.map(begin));
    const { counter } = device;
    const answers = begun.map((each) => {
      device.counter = counter;
      return device.get(nonceIn(each));
    });
    const both = await Promise.all(
      browsers.map((browser, i) => attempt(browser, flowId(begun[i] as Answer), String(answers[i]))),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  it('an answer that was given before, one to another question, and one that comes too late', async () => {
    const device = await added(await pool.member('anna'));
    device.counter = null;
    await pool.rows('update identity_passkey set counter = 0');
    const browser = new Browser(pool.app, '10.0.0.5');
    const first = await begin(browser);
    const stolen = device.get(nonceIn(first));
    // Two at once.
    const both = await Promise.all([attempt(browser, flowId(first), stolen), attempt(browser, flowId(first), stolen)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
    const thief = new Browser(pool.app, '10.0.0.6');
    expect(refusal(await attempt(thief, flowId(await begin(thief)), stolen))).toBe('422 passkey_refused');

    const late = new Browser(pool.app, '10.0.0.7');
    const begun = await begin(late);
    const answer = device.get(nonceIn(begun));
    await pool.rows(
      `update identity_client set flow = jsonb_set(flow, '{passkey,expiresAt}', to_jsonb($1::bigint)) where flow ->> 'id' = $2`,
      Date.now() - 1,
      flowId(begun),
    );
    expect(refusal(await attempt(late, flowId(begun), answer))).toBe('422 passkey_refused');
  });

  it('a new passkey of another site, without its user, or with nonsense', async () => {
    const owner = await pool.member('anna');
    for (const spoil of [
      (device: PasskeyDevice) => (device.origin = 'https://evil.example'),
      (device: PasskeyDevice) => (device.verifiesUser = false),
    ]) {
      const device = new PasskeyDevice(ORIGIN);
      spoil(device);
      const { id, verification } = passkeyIn(await asked(owner));
      expect(refusal(await confirm(owner, id, device.create(verification.nonce)))).toBe('422 passkey_refused');
    }
    for (const nonsense of ['', 'null', '{"id":1}', '{"id":"a","rawId":"a","type":"public-key","response":{}}'])
      expect(refusal(await confirm(owner, passkeyIn(await asked(owner)).id, nonsense))).toBe('422 passkey_refused');
    expect((await userOf(owner)).passkeys).toEqual([]);
  });

  it('more than twenty', async () => {
    const owner = await pool.member('anna');
    await added(owner);
    await pool.rows(
      `insert into identity_passkey (id, user_id, credential_id, public_key, counter, transports, name)
       select 'p' || n, user_id, 'c' || n, public_key, 0, '{}', 'p' from identity_passkey, generate_series(1, 19) n`,
    );
    expect(refusal(await asked(owner))).toBe('422 passkey_limit');
  });
});

it('a sign-in by name says nothing about passkeys', async () => {
  await added(await pool.member('anna'));
  const ask = async (identifier: string) => {
    const { body } = await new Browser(pool.app, '10.0.0.5').ask('POST', '/client/sign_ins', { identifier });
    return JSON.stringify(body)
      .replaceAll(/(sia|client)_[0-9a-f]{32}|"\w+_at":\d+/g, '')
      .replaceAll(identifier, '');
  };
  expect(await ask('anna')).toBe(await ask('nobody'));
  expect(await ask('anna')).not.toContain('passkey');
});

it('the link in the mail about it takes passkeys away with everything else', async () => {
  const owner = await pool.member('anna');
  const device = await added(owner);
  await pool.press(linkIn(await pool.smtp.mail(/passkey was added/)));
  expect(refusal(await signIn(device))).toBe('422 passkey_refused');
  expect(refusal(await new Browser(pool.app).signIn('anna', PASSWORD))).toBe('422 form_password_incorrect password');
});

it('ends the wait for the removal of a lost second step', async () => {
  const owner = await pool.member('anna');
  const device = await added(owner);
  await pool.withTwoStep(owner);
  await pool.rows(
    `insert into identity_recovery (user_id, totp_since, ready_at) select id, totp_since, now() + interval '3 days' from identity_user`,
  );
  await signIn(device);
  expect(await pool.rows('select 1 from identity_recovery')).toEqual([]);
  expect(await pool.kinds()).toContain('recovery_cancelled');
  // It is the way back: with it the lost app is turned off.
  const browser = new Browser(pool.app, '10.0.0.5');
  await signIn(device, browser);
  expect((await browser.ask('DELETE', '/me/totp', {})).status).toBe(200);
  expect((await userOf(browser)).two_factor_enabled).toBe(false);
});

it.each([
  ['https://pool.example', undefined, 'pool.example'],
  ['http://pool.example', 'https://pool.example/', 'pool.example'],
  ['http://localhost:3000', undefined, 'localhost'],
  ['https://192.0.2.1', undefined, null],
  ['https://other.example', 'https://pool.example/', null],
])('at %s of a pool at %s they are for %s', (requested, publicUrl, id) => {
  expect(relyingParty(requested, publicUrl)?.id ?? null).toBe(id);
});
