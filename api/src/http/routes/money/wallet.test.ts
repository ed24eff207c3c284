/** Payout addresses over HTTP (security.md 2, 15, 16, 33, 34). */
import type { BusEvent } from '../../../bus';
import { testApp, type Answer, type Person, type TestApp } from '../../testing/test-app';

const A = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const B = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy';
const C = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const HOUR = 3600;

describe('the wallet', () => {
  let test: TestApp;
  let owner: Person;
  let stranger: Person;
  let admin: Person;
  let ahead = 0;
  const events: BusEvent[] = [];

  beforeAll(async () => {
    test = await testApp({ now: () => Date.now() / 1000 + ahead });
    test.bus.subscribe((event) => {
      events.push(event);
    });
    [owner, stranger, admin] = [
      await test.person('owner'),
      await test.person('stranger'),
      await test.person('boss', { role: 'admin' }),
    ];
  });
  beforeEach(async () => {
    ahead = 0;
    events.length = 0;
    await test.database.pool.query(
      `truncate wallet_change, notification; update sub_account
       set btc_address = null, address_before = null, address_hold_until = null`,
    );
  });
  afterAll(() => test.close());

  const put = (who: Person, btcAddress: unknown, query = ''): Promise<Answer> =>
    who.call(`/api/wallet/${query}`, { method: 'PUT', body: { btcAddress } });
  const row = async (name = 'owner') =>
    (
      await test.database.pool.query(
        'select btc_address, address_before, address_hold_until from sub_account where name = $1',
        [name],
      )
    ).rows[0] as { btc_address: string | null; address_hold_until: Date | null };
  const audits = async (action: string) =>
    (
      await test.database.pool.query(
        'select user_id, subject, before, after, ip from audit where action = $1 order by id desc',
        [action],
      )
    ).rows;
  const inForce = async (): Promise<void> => {
    await test.database.pool.query("update sub_account set btc_address = $1 where name = 'owner'", [A]);
  };

  it('is empty at first, and a first address is valid at once', async () => {
    expect((await owner.call('/api/wallet/')).body).toEqual({ btcAddress: null, history: [] });
    const answer = await put(owner, A);
    expect(answer.body).toEqual({
      btcAddress: A,
      history: [expect.objectContaining({ oldAddress: null, newAddress: A, status: 'done' })],
    });
    expect(events.map((event) => event.type)).toEqual(['wallet', 'notification']);
  });

  it('row 34: a change is held for 72 h, and notified with both addresses', async () => {
    await put(owner, A);
    events.length = 0;
    const answer = await put(owner, C.toUpperCase());
    const { hold } = answer.body as { hold: { until: string; oldAddress: string } };
    expect(answer.body).toMatchObject({
      btcAddress: C,
      hold: { oldAddress: A },
      history: [{ oldAddress: A, newAddress: C, status: 'held' }, { status: 'done' }],
    });
    expect(Math.abs(Date.parse(hold.until) - Date.now() - 72 * HOUR * 1000)).toBeLessThan(60_000);
    const told = { account: 'owner', oldAddress: '1BvBMSEY…JaNVN2', newAddress: 'bc1qar0s…wf5mdq', until: hold.until };
    expect(events[0]).toEqual({ type: 'wallet', userId: owner.userId, data: { ...told, change: 'changed' } });
    expect((await owner.call('/api/notifications')).body).toMatchObject({
      notifications: [{ kind: 'wallet_changed', values: told, path: '/payments/?account=owner' }, {}],
    });
    expect(await audits('wallet.change')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          user_id: owner.userId,
          subject: 'owner',
          before: { btcAddress: A },
          after: expect.objectContaining({ btcAddress: C }),
        }),
      ]),
    );
    ahead = 72 * HOUR - 60;
    expect((await owner.call('/api/wallet/')).body).toHaveProperty('hold');
    ahead = 72 * HOUR + 1;
    expect((await owner.call('/api/wallet/')).body).toMatchObject({
      btcAddress: C,
      history: [{ status: 'done' }, { status: 'done' }],
    });
    expect((await owner.call('/api/wallet/')).body).not.toHaveProperty('hold');
  });

  it('a held change can be cancelled by its owner', async () => {
    await inForce();
    await put(owner, C);
    ahead = 20 * HOUR;
    const answer = await owner.call('/api/wallet/change', { method: 'DELETE' });
    expect(answer.body).toMatchObject({ btcAddress: A, history: [{ newAddress: C, status: 'cancelled' }] });
    expect(answer.body).not.toHaveProperty('hold');
    expect((await owner.call('/api/wallet/change', { method: 'DELETE' })).code).toBe('no_pending_change');
    expect(events.filter((event) => event.type === 'wallet').map(({ data }) => data)).toMatchObject([
      { change: 'changed' },
      { change: 'cancelled', newAddress: '1BvBMSEY…JaNVN2' },
    ]);
  });

  it('a second change starts a new hold; a stranger cannot cancel it', async () => {
    await inForce();
    await put(owner, C);
    const second = await put(owner, B);
    expect(second.body).toMatchObject({
      btcAddress: B,
      hold: { oldAddress: A },
      history: [
        { newAddress: B, status: 'held' },
        { newAddress: C, status: 'replaced' },
      ],
    });
    for (const who of [stranger, admin])
      expect((await who.call('/api/wallet/change?accountName=owner', { method: 'DELETE' })).status).toBe(404);
    expect((await row()).btc_address).toBe(B);
  });

  it('row 15: an old sign-in changes nothing', async () => {
    expect((await put(owner, A)).status).toBe(200);
    const old = await put(await test.oldSession('owner'), B);
    expect([old.status, old.code]).toEqual([403, 'reverification_required']);
    expect((await row()).btc_address).toBe(A);
    expect((await put(owner, B)).status).toBe(200);
  });

  it('row 15: a first address asks for it too', async () => {
    await test.database.pool.query(
      `update sub_account
       set btc_address = null, address_before = null, address_hold_until = null
       where name = 'owner'`,
    );
    expect((await put(await test.oldSession('owner'), A)).code).toBe('reverification_required');
    expect((await row()).btc_address).toBeNull();
    expect((await put(owner, A)).status).toBe(200);
  });

  it("row 2: nobody sets another's address, not even an admin: 404, unchanged, recorded", async () => {
    await inForce();
    const absent = await put(stranger, B, '?accountName=nobody-at-all');
    for (const who of [stranger, admin]) {
      const answer = await put(who, B, '?accountName=owner');
      expect(answer.status).toBe(404);
      expect(answer.text).toBe(absent.text);
      expect((await audits('wallet.refused'))[0]).toMatchObject({ user_id: who.userId, subject: 'owner' });
    }
    expect(await row()).toMatchObject({ btc_address: A, address_hold_until: null });
  });

  it("row 16: no weaker way in: API key, watcher link, miner's credentials, cookie: 401", async () => {
    await inForce();
    const key = (
      await owner.call('/api/apiKeys', {
        method: 'POST',
        body: { name: 'all', scopes: ['hashrate', 'workers', 'earnings'] },
      })
    ).body as { token: string };
    const link = (
      await owner.call('/api/watchers', {
        method: 'POST',
        body: { name: 'all', scopes: ['hashrate', 'workers', 'earnings'] },
      })
    ).body as { token: string };
    const { token } = await test.signIn('owner');
    const ways: Record<string, string>[] = [
      { authorization: `Bearer ${key.token}` },
      { authorization: `Bearer ${link.token}` },
      { authorization: `Basic ${Buffer.from('owner.rig:x').toString('base64')}` },
      { cookie: `XSRF-TOKEN=xsrf; __session=${token}` },
      { 'x-telegram-bot-api-secret-token': 'anything' },
    ];
    for (const headers of ways)
      expect(
        (await test.visitor.call('/api/wallet/', { method: 'PUT', body: { btcAddress: B }, headers })).status,
      ).toBe(401);
    expect(await row()).toMatchObject({ btc_address: A, address_hold_until: null });
  });

  it.each([
    ['mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'address_wrong_network'],
    ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'address_wrong_network'],
    ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3', 'address_checksum'],
    ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdQ', 'address_mixed_case'],
    ['bc1qаr0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'address_characters'],
    ['bc1pfeessrawgf', 'address_type'],
    ['', 'address_length'],
  ])('row 33: %s: 400 %s', async (text, code) => {
    const answer = await put(owner, text);
    expect([answer.status, answer.code]).toEqual([400, code]);
    expect(answer.body).toMatchObject({ errors: [{ path: 'btcAddress', message: expect.stringMatching(/\.$/) }] });
    expect((await row()).btc_address).toBeNull();
  });

  it.each([[null], [12], [['x']], [{}], ['x'.repeat(300)]])('no text of a sensible length: 400', async (value) =>
    expect((await put(owner, value)).code).toBe('invalid_request'),
  );

  it('concurrent changes leave one hold and a complete history', async () => {
    await inForce();
    const answers = await Promise.all([B, C, B, C, B, C].map((address) => put(owner, address)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(200));
    const { body } = await owner.call('/api/wallet/');
    expect(body).toMatchObject({ hold: { oldAddress: A } });
    expect((body as { history: { status: string }[] }).history.filter(({ status }) => status === 'held')).toHaveLength(
      1,
    );
  });
});
