/** Payout addresses over HTTP (security.md 2, 15, 16, 33, 34). */
import type { BusEvent } from '../../../platform/bus';
import { testApp, type Answer, type Person, type TestApp } from '../../testing/test-app';

const A = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const B = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy';
const C = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const HOUR = 3600;

const WALLETS = {
  account: {
    path: '/api/wallet/',
    field: 'btcAddress',
    action: 'wallet',
    empty: { btcAddress: null, history: [] },
    stored: 'select btc_address as address, address_hold_until as until from sub_account where name = $1',
    store: `update sub_account set btc_address = $2, address_before = null, address_hold_until = null where name = $1`,
  },
  'referral money': {
    path: '/api/referral/wallet',
    field: 'walletAddress',
    action: 'referral_wallet',
    empty: { walletAddress: null },
    stored: 'select referral_address as address, referral_hold_until as until from app_user where user_name = $1',
    store: `update app_user set referral_address = $2, referral_address_before = null, referral_hold_until = null
            where user_name = $1`,
  },
};
type Name = keyof typeof WALLETS;

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
afterAll(() => test.close());

describe.each(Object.keys(WALLETS) as Name[])('the wallet of %s', (name) => {
  const { path, field, action, empty, stored, store } = WALLETS[name];
  /** Only an account has a history. */
  const history = (...rows: object[]) =>
    name === 'account' ? { history: rows.map((row) => expect.objectContaining(row)) } : {};
  const inForce = (address: string | null = A) => test.database.pool.query(store, ['owner', address]);
  beforeEach(async () => {
    ahead = 0;
    events.length = 0;
    await test.database.pool.query(
      `set session_replication_role to replica; truncate waiting_change, notification, audit;
       set session_replication_role to origin`,
    );
    await inForce(null);
  });

  const put = (who: Person, address: unknown, query = ''): Promise<Answer> =>
    who.put(`${path}${query}`, { [field]: address });
  const read = async () => (await owner.call(path)).body;
  const row = async () =>
    (await test.database.pool.query(stored, ['owner'])).rows[0] as { address: string | null; until: Date | null };
  const audits = async (what: string) =>
    (
      await test.database.pool.query(
        'select user_id, subject, before, after, ip from audit where action = $1 order by id desc',
        [`${action}.${what}`],
      )
    ).rows;

  it('is empty at first, and a first address is valid at once', async () => {
    expect(await read()).toEqual(empty);
    const answer = await put(owner, A);
    expect(answer.body).toEqual({ [field]: A, ...history({ oldAddress: null, newAddress: A, status: 'done' }) });
    expect(events.map((event) => event.type)).toEqual(['wallet', 'notification']);
  });

  it('a change is held for 72 h, and notified with both addresses', async () => {
    await put(owner, A);
    events.length = 0;
    const answer = await put(owner, C.toUpperCase());
    const { hold } = answer.body as { hold: { until: string; oldAddress: string } };
    expect(answer.body).toMatchObject({
      [field]: C,
      hold: { oldAddress: A },
      ...history({ oldAddress: A, newAddress: C, status: 'held' }, { status: 'done' }),
    });
    expect(Math.abs(Date.parse(hold.until) - Date.now() - 72 * HOUR * 1000)).toBeLessThan(60_000);
    const told = { account: 'owner', oldAddress: '1BvBMSEY…JaNVN2', newAddress: 'bc1qar0s…wf5mdq', until: hold.until };
    expect(events[0]).toEqual({ type: 'wallet', userId: owner.userId, data: { ...told, change: 'changed' } });
    expect((await owner.call('/api/notifications')).body).toMatchObject({
      notifications: [{ kind: 'wallet_changed', values: told }, {}],
    });
    expect((await audits('change'))[0]).toMatchObject({
      user_id: owner.userId,
      subject: 'owner',
      before: { [field]: A },
      after: expect.objectContaining({ [field]: C }),
    });
    const [newest] = (answer.body as { history?: { at: string }[] }).history ?? [];
    if (newest) expect(Math.abs(Date.parse(newest.at) - Date.now())).toBeLessThan(60_000);
    ahead = 72 * HOUR - 60;
    expect(await read()).toHaveProperty('hold');
    ahead = 72 * HOUR + 1;
    expect(await read()).toEqual({ [field]: C, ...history({ status: 'done' }, { status: 'done' }) });
  });

  it('an address that is set again changes nothing, also from an old session, and does not prolong the hold', async () => {
    await inForce();
    const again = async (address: string) => (await put(await test.oldSession('owner'), address)).status;
    expect([await again(A), await row()]).toEqual([200, { address: A, until: null }]);
    await put(owner, B);
    const held = await row();
    events.length = 0;
    ahead = 10 * HOUR;
    expect([await again(B), await row(), events]).toEqual([200, held, []]);
    expect(await audits('change')).toHaveLength(1);
  });

  it('a change of a held one takes its place, for as long again', async () => {
    await inForce();
    await put(owner, C);
    ahead = 71 * HOUR;
    expect((await put(owner, B)).body).toMatchObject({
      [field]: B,
      hold: { oldAddress: A },
      ...history({ oldAddress: C, newAddress: B, status: 'held' }, { newAddress: C, status: 'replaced' }),
    });
    ahead = 143 * HOUR - 60;
    expect(await read()).toHaveProperty('hold');
    // An address that is no longer held is one like any other: going back to it is a change.
    ahead = 143 * HOUR + 1;
    expect((await put(owner, A)).body).toMatchObject({ hold: { oldAddress: B } });
  });

  it('an address that was set a month ago may be brought back from an old session', async () => {
    await put(owner, B);
    await put(owner, A);
    const after = async (age: string): Promise<number> => {
      await test.database.pool.query(
        `set session_replication_role to replica; update audit set at = now() - interval '${age}';
         set session_replication_role to origin`,
      );
      return (await put(await test.oldSession('owner'), B)).status;
    };
    expect(await after('29 days 23 hours')).toBe(403);
    expect(await after('30 days 1 hour')).toBe(200);
    expect(await row()).toEqual({ address: B, until: null });
  });

  it('a held change is taken back by setting the address before, also without a recent sign-in', async () => {
    await inForce();
    await put(owner, C);
    ahead = 20 * HOUR;
    expect((await put(await test.oldSession('owner'), A)).body).toEqual({
      [field]: A,
      ...history({ newAddress: C, status: 'cancelled' }),
    });
    expect(events.filter((event) => event.type === 'wallet').map(({ data }) => data)).toMatchObject([
      { change: 'changed' },
      { change: 'cancelled', newAddress: '1BvBMSEY…JaNVN2' },
    ]);
    expect((await audits('cancel'))[0]).toMatchObject({ before: { [field]: C }, after: { [field]: A } });
  });

  it('an old session does not bring back an address that was set a moment ago: it may be a thief’s', async () => {
    await put(owner, B);
    await put(owner, A);
    const thief = await test.oldSession('owner');
    expect((await put(thief, B)).code).toBe('reverification_required');
    if (name === 'account') expect((await thief.del('/api/wallet/change')).code).toBe('reverification_required');
    expect(await row()).toMatchObject({ address: A });
    expect((await put(owner, B)).status).toBe(200);
  });

  it('an old sign-in changes nothing, nor sets a first address', async () => {
    for (const before of [A, null]) {
      await inForce(before);
      const old = await put(await test.oldSession('owner'), B);
      expect([old.status, old.code]).toEqual([403, 'reverification_required']);
      expect(await row()).toEqual({ address: before, until: null });
      expect((await put(owner, B)).status).toBe(200);
    }
  });

  it('concurrent changes leave one hold and a complete history', async () => {
    await inForce();
    const answers = await Promise.all([B, C, B, C, B, C].map((address) => put(owner, address)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(200));
    const body = (await read()) as { history?: { status: string }[] };
    expect(body).toMatchObject({ hold: { oldAddress: A } });
    if (body.history) expect(body.history.filter(({ status }) => status === 'held')).toHaveLength(1);
  });

  if (name === 'account') {
    it('a held change is mailed to a confirmed address', async () => {
      const mails = async () =>
        (await test.database.pool.query("select target, content from outbox where channel = 'mail' order by id"))
          .rows as {
          target: string;
          content: string;
        }[];
      const confirm = (at: string) =>
        test.database.pool.query(`update identity_user set email_verified_at = ${at} where user_name = 'owner'`);
      await test.database.pool.query('truncate outbox');
      await put(owner, A);
      await put(owner, B);
      expect(await mails()).toEqual([]);
      await confirm('now()');
      await put(owner, C);
      await confirm('null');
      const [mail] = await mails();
      expect(mail?.target).toBe('owner@example.com');
      expect(JSON.parse(mail?.content ?? '')).toMatchObject({
        subject: 'The payout address of owner was changed',
        text: expect.stringMatching(
          /from 3J98t1Wp…RhWNLy to bc1qar0s…wf5mdq\. Nothing is paid .* before 20\d\d-.* UTC/,
        ),
      });
    });

    it("no weaker way in: API key, watcher link, miner's credentials, cookie: 401", async () => {
      await inForce();
      const made = async (kind: string) =>
        (await owner.post(`/api/${kind}`, { name: 'all', scopes: ['hashrate', 'workers', 'earnings'] })).body as {
          token: string;
        };
      const { token } = await test.signIn('owner');
      const ways: Record<string, string>[] = [
        { authorization: `Bearer ${(await made('apiKeys')).token}` },
        { authorization: `Bearer ${(await made('watchers')).token}` },
        { cookie: `XSRF-TOKEN=xsrf; __session=${token}` },
      ];
      for (const headers of ways)
        expect((await test.visitor.call(path, { method: 'PUT', body: { [field]: B }, headers })).status).toBe(401);
      expect(await row()).toEqual({ address: A, until: null });
    });

    it('a wrong address is refused in its field', async () => {
      const answer = await put(owner, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3');
      expect([answer.status, answer.code]).toEqual([400, 'address_checksum']);
      expect(answer.body).toMatchObject({ errors: [{ path: field, message: expect.stringMatching(/\.$/) }] });
      expect((await row()).address).toBeNull();
    });

    it('a held change can be cancelled by its owner, and by nobody else', async () => {
      await inForce();
      await put(owner, C);
      const cancel = (who: Person) => who.del('/api/wallet/change?accountName=owner');
      for (const who of [stranger, admin]) expect((await cancel(who)).status).toBe(404);
      expect((await row()).address).toBe(C);
      expect((await cancel(await test.oldSession('owner'))).body).toEqual({
        btcAddress: A,
        ...history({ newAddress: C, status: 'cancelled' }),
      });
      expect((await cancel(owner)).code).toBe('no_pending_change');
    });

    it("nobody sets another's address, not even an admin: 404, unchanged, recorded", async () => {
      await inForce();
      const absent = await put(stranger, B, '?accountName=nobody-at-all');
      for (const who of [stranger, admin]) {
        const answer = await put(who, B, '?accountName=owner');
        expect(answer.status).toBe(404);
        expect(answer.text).toBe(absent.text);
        expect((await audits('refused'))[0]).toMatchObject({ user_id: who.userId, subject: 'owner' });
      }
      expect(await row()).toEqual({ address: A, until: null });
    });

    it("an admin changes it by the owner's rules: held, recorded, told, cancelled; a first one only its owner sets", async () => {
      const change = (who: Person, address = B) =>
        who.put('/api/admin/wallet?accountName=owner', { btcAddress: address });
      expect((await change(admin)).code).toBe('no_address');
      await inForce();
      expect((await change(stranger)).status).toBe(403);
      expect((await change(await test.oldSession('boss'))).code).toBe('reverification_required');
      expect((await change(admin, 'bc1qw')).code).toBe('address_length');
      expect(await row()).toEqual({ address: A, until: null });
      expect((await change(admin)).body).toMatchObject({ btcAddress: B, hold: { oldAddress: A } });
      expect((await audits('change'))[0]).toMatchObject({
        user_id: admin.userId,
        subject: 'owner',
        before: { btcAddress: A },
        after: expect.objectContaining({ btcAddress: B }),
      });
      expect(events[0]).toMatchObject({ type: 'wallet', userId: owner.userId });
      expect((await owner.call('/api/notifications')).body).toMatchObject({
        notifications: [
          { kind: 'wallet_changed_by_admin', values: { account: 'owner', newAddress: '3J98t1Wp…RhWNLy' } },
        ],
      });
      const cancelled = await owner.del('/api/wallet/change');
      expect(cancelled.body).toMatchObject({ btcAddress: A });
    });
  }
});
