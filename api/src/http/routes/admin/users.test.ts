/** Calls for admins only, and viewing a user's pages (security.md 6, 8, 9, 12, 13, 25). */
import { type Call, contract } from '@pool/shared/api/contract';
import { type Answer, appOfFile, ORIGIN, PASSWORD, type Person, personOfFile } from '../../testing/test-app';

const A = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';

describe('an admin', () => {
  const now = Math.floor(Date.now() / 1000);
  // A fixed clock, so that the admin's and the user's responses are equal to the byte.
  const test = appOfFile({ now: () => now });
  const admin = personOfFile(test, 'boss', { role: 'admin' });
  const second = personOfFile(test, 'deputy', { role: 'admin' });
  const owner = personOfFile(test, 'owner');
  const legacy = personOfFile(test, 'oldtimer', { isLegacyUser: true });

  beforeAll(async () => {
    await owner.post('/api/subAccounts/', { name: 'owner-two' });
    await test.work([
      { account: 'owner', at: now - 120, accepted: 1e6 },
      { account: 'oldtimer', algorithm: 'SCRYPT', at: now - 7200, accepted: 1e9, span: 600 },
      { account: 'boss', worker: 'secret', at: now - 120, accepted: 1e6 },
    ]);
  });

  const facts = async (name: string) =>
    (
      await test.rows('select role, is_legacy_user, disabled, fee_percent from app_user where user_name = $1', [name])
    )[0];
  const put = (path: string, body: unknown, who = admin): Promise<Answer> => who.put(`/api${path}`, body);

  describe('edits users', () => {
    it('one: only the fields sent, recorded with before and after', async () => {
      const answer = await put(`/users/?id=${owner.userId}`, { feePercent: 1.25 });
      expect(answer.body).toMatchObject({
        userName: 'owner',
        feePercent: 1.25,
        role: 'miner',
        disabled: false,
        subAccounts: [{ name: 'owner' }, { name: 'owner-two', owner: 'owner' }],
      });
      expect(
        await test.rows(
          `select user_id, subject, before ->> 'feePercent' as before, after ->> 'feePercent' as after
           from audit where action = 'user.update'`,
        ),
      ).toEqual([{ user_id: admin.userId, subject: 'owner', before: null, after: '1.25' }]);
      expect((await put(`/users/?id=${owner.userId}`, { feePercent: null })).body).toMatchObject({ feePercent: null });
    });
    it('a disabled one loses access at once; enabled again, it signs in again', async () => {
      const gone = await test.person('gone');
      const key = (await gone.post('/api/apiKeys', { name: 'k', scopes: ['hashrate'] })).body as { token: string };
      const byKey = (): Promise<Answer> =>
        test.visitor.call('/api/hashchart/', { headers: { authorization: `Bearer ${key.token}` } });
      expect((await byKey()).status).toBe(200);
      await put(`/users/?id=${gone.userId}`, { disabled: true });
      expect([(await gone.call('/api/getUserInfo/')).status, (await byKey()).status]).toEqual([401, 401]);
      // The right password opens nothing now, and is told why.
      const { statusCode, body } = await test.app.inject({
        method: 'POST',
        url: '/__clerk/v1/client/sign_ins',
        headers: { host: 'pool.test:3000', origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ identifier: 'gone', password: PASSWORD, strategy: 'password' }).toString(),
      });
      expect([statusCode, body.includes('user_disabled')]).toEqual([422, true]);
      await put(`/users/?id=${gone.userId}`, { disabled: false });
      // The key is the user's own to revoke; the sessions have ended.
      expect([(await gone.call('/api/getUserInfo/')).status, (await byKey()).status]).toEqual([401, 200]);
      expect(
        await test.rows(
          'select status from identity_session where user_id = (select identity_id from app_user where id = $1)',
          [gone.userId],
        ),
      ).toEqual([{ status: 'revoked' }]);
      expect((await (await test.signIn('gone')).call('/api/getUserInfo/')).status).toBe(200);
    });
    it('no other field, for nobody: 400, unchanged', async () => {
      const before = await facts('owner');
      for (const field of [{ btcAddress: A }, { feePercent: 101 }, { role: 'root' }])
        expect([field, (await put(`/users/?id=${owner.userId}`, field)).status]).toEqual([field, 400]);
      expect(await facts('owner')).toEqual(before);
    });
    it('`legacy` in the query makes nobody a legacy user, nor the reverse', async () => {
      expect((await put(`/users/?id=${legacy.userId}&legacy=false`, { feePercent: 1 })).status).toBe(404);
      expect((await put(`/users/?id=${owner.userId}&legacy=true`, { feePercent: 1 })).status).toBe(404);
      expect((await put(`/users/?id=${legacy.userId}&legacy=true`, { feePercent: 1 })).status).toBe(200);
      expect(
        (await put('/bulkUpdateUsers', { updates: [{ id: legacy.userId, feePercent: 2 }], legacy: false })).status,
      ).toBe(422);
      expect((await legacy.call('/api/hashchart/?legacy=false')).status).toBe(400);
      expect(await facts('oldtimer')).toMatchObject({ is_legacy_user: true, fee_percent: 1 });
      expect((await legacy.call('/api/legacyStatus')).body).toEqual({ data: { legacy: true } });
    });
    it('the only owner of an organization is not disabled', async () => {
      await test.rows("insert into organization (id, user_id, name, slug) values ('org_1', $1, 'Farm', 'farm')", [
        legacy.userId,
      ]);
      await test.rows(
        "insert into organization_member (id, organization_id, user_id, role) values ('m', 'org_1', $1, 'owner')",
        [owner.userId],
      );
      expect((await put(`/users/?id=${owner.userId}`, { disabled: true })).code).toBe('last_owner');
      await test.rows('delete from organization');
    });
    it('no admin can demote itself, and two cannot demote each other', async () => {
      for (const body of [{ role: 'miner' }, { disabled: true }])
        expect((await put(`/users/?id=${admin.userId}`, body)).code).toBe('own_account');
      const answers = await Promise.all([
        put(`/users/?id=${second.userId}`, { role: 'miner' }),
        put(`/users/?id=${admin.userId}`, { role: 'miner' }, second),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
      expect(await test.rows("select 1 from app_user where role = 'admin' and not disabled")).toHaveLength(1);
      await test.rows("update app_user set role = 'admin' where user_name in ('boss', 'deputy')");
      await put(`/users/?id=${owner.userId}`, {}); // forgets the roles remembered
    });
    it('lists them with everything it edits, by kind', async () => {
      const all = await admin.read<{ rows: { userName: string }[]; total: number }>('/api/admin/editUsers');
      expect(all.total).toBe(5);
      expect((await admin.call('/api/admin/editUsers?legacy=true')).body).toMatchObject({
        total: 1,
        rows: [
          {
            userName: 'oldtimer',
            isLegacyUser: true,
            subAccounts: [{ name: 'oldtimer', ports: {}, proxyPort: null, btcAddress: null }],
          },
        ],
      });
      expect((await admin.call('/api/admin/editUsers?search=own&limit=1')).body).toMatchObject({
        total: 1,
        nextCursor: null,
      });
      const others = await admin.read<{ user: { userName: string }; subAccounts: object[] }[]>(
        '/api/admin/getNonLegacyUsersWithSubAccounts',
      );
      expect(others.map(({ user, subAccounts }) => [user.userName, subAccounts.length])).toEqual([
        ['boss', 1],
        ['deputy', 1],
        ['gone', 1],
        ['owner', 2],
      ]);
    });
  });

  describe('edits what it has seen', () => {
    type Row = { id: number; version: number; userName: string };
    const rows = async <T = Row>(path: string): Promise<T[]> => (await admin.read<{ rows: T[] }>(`/api${path}`)).rows;
    const one = async (name: string): Promise<Row> => (await rows(`/admin/editUsers?search=${name}`))[0] as Row;

    it('a user that another admin has changed is not overwritten; what the owner does changes no version', async () => {
      const { id, version } = await one('oldtimer');
      await legacy.call('/api/getUserInfo/');
      expect((await one('oldtimer')).version).toBe(version);
      expect((await put(`/users/?id=${id}`, { feePercent: 3, version })).body).toMatchObject({ version: version + 1 });
      const refused = await put(`/users/?id=${id}`, { feePercent: 2, version }, second);
      expect([refused.status, refused.code]).toEqual([409, 'changed_meanwhile']);
      expect(await test.rows('select fee_percent from app_user where id = $1', [id])).toEqual([{ fee_percent: 3 }]);
      expect((await put(`/users/?id=${id}`, { feePercent: 2, version: version + 1 }, second)).status).toBe(200);
      // An edit that names no version overwrites what others have saved.
      expect((await put(`/users/?id=${id}`, { feePercent: null })).status).toBe(200);
    });

    it('sub-accounts are found by name, owner and address; an edit names the version, also against the owner', async () => {
      await test.rows('update sub_account set btc_address = $1 where name = $2', [A, 'oldtimer']);
      type Account = { id: number; name: string; version: number; thresholdSat: number };
      const names = async (query: string) =>
        (await rows<Account>(`/admin/subAccounts${query}`)).map(({ name }) => name);
      expect(await names('?sort=-name')).toEqual(['owner-two', 'owner', 'oldtimer', 'gone', 'deputy', 'boss']);
      expect(await names('?search=LDTIME')).toEqual(['oldtimer']);
      expect(await names(`?search=${A}`)).toEqual(['oldtimer']);
      expect(await names('?search=%25')).toEqual([]);
      const [account] = await rows<Account>('/admin/subAccounts?search=owner');
      expect(account).toMatchObject({ name: 'owner', owner: 'owner', isLegacyUser: false, unpaidSat: 0, ports: {} });
      const { id = 0, version = 0 } = account ?? {};
      const threshold = { method: 'PUT', body: { thresholdSat: 20_000 } } as const;
      expect((await owner.call('/api/payoutSettings', threshold)).status).toBe(200);
      const stale = { id, version, thresholdSat: 90_000 };
      const refused = await put('/bulkUpdateSubAccounts', { updates: [stale] });
      expect([refused.status, refused.code]).toEqual([422, 'changed_meanwhile']);
      expect((await rows<Account>(`/admin/subAccounts?ids=${id}`))[0]).toMatchObject({ thresholdSat: 20_000 });
      expect((await put('/bulkUpdateSubAccounts', { updates: [{ ...stale, version: version + 1 }] })).body).toEqual({
        changed: 1,
      });
    });

    it('a role that is given or taken within a session counts from the next call on', async () => {
      const { userId } = owner;
      const areas = async () => [
        (await owner.call('/api/users/')).status,
        (await owner.read<{ rules: { subject: string }[] }>('/api/getUserInfo/')).rules.some(
          ({ subject }) => subject === 'admin',
        ),
      ];
      expect(await areas()).toEqual([403, false]);
      await put(`/users/?id=${userId}`, { role: 'admin' });
      expect(await areas()).toEqual([200, true]);
      await put(`/users/?id=${userId}`, { role: 'miner' });
      expect(await areas()).toEqual([403, false]);
      expect((await owner.call('/api/getPayments/')).status).toBe(403);
      expect((await put('/bulkUpdateUsers', { updates: [{ id: userId, role: 'admin' }] }, owner)).status).toBe(403);
    });
  });

  describe('edits 500 at once, or none', () => {
    let ids: number[];
    beforeAll(async () => {
      ids = (
        await test.rows<{ id: number }>(
          `insert into app_user (identity_id, user_name) select 'many' || n, 'many' || n
           from generate_series(1, 500) n returning id`,
        )
      ).map(({ id }) => id);
      await test.rows(
        "insert into sub_account (user_id, name) select id, user_name from app_user where user_name like 'many%'",
      );
    });
    const fees = () =>
      test.rows<{ n: number }>(
        "select count(*) as n from app_user where user_name like 'many%' and fee_percent is not null",
      );
    const updates = (): { id: number; feePercent: number }[] => ids.map((id) => ({ id, feePercent: 2 }));

    it.each([
      [250, () => ({ id: 9_999_999 }), 422, 'unknown_id', 'updates.250'],
      [499, () => ({ id: ids[3], feePercent: 2 }), 422, 'duplicate_id', 'updates.499'],
      [321, () => ({ id: ids[321], feePercent: 9, version: 9 }), 422, 'changed_meanwhile', 'updates.321'],
      [9, () => ({ id: admin.userId, role: 'miner' }), 422, 'own_account', 'updates.9'],
    ] as const)('users: a bad one at place %i: refused, nothing changed', async (at, bad, status, code, path) => {
      const rows: object[] = updates();
      rows[at] = bad();
      const answer = await put('/bulkUpdateUsers', { updates: rows, legacy: false });
      expect([answer.status, answer.code]).toEqual([status, code]);
      expect(answer.body).toMatchObject({ errors: [{ path }] });
      expect(await fees()).toEqual([{ n: 0 }]);
    });
    it('users: all in order', async () => {
      expect((await put('/bulkUpdateUsers', { updates: updates() })).body).toEqual({ changed: 500 });
      expect(await fees()).toEqual([{ n: 500 }]);
      expect(
        await test.rows("select count(*) as n from audit where action = 'user.update' and subject like 'many%'"),
      ).toEqual([{ n: 500 }]);
    });
    it('sub-accounts: two that want one port: 422, nothing changed', async () => {
      const accounts = (
        await test.rows<{ id: number }>("select id from sub_account where name like 'many%' order by id")
      ).map(({ id }, i) => ({ id, proxyPort: 20_000 + i }));
      const answer = await put('/bulkUpdateSubAccounts', {
        updates: accounts.map((row, i) => (i === 250 ? { ...row, proxyPort: 20_001 } : row)),
      });
      expect([answer.status, answer.code]).toEqual([422, 'port_taken']);
      expect(answer.body).toMatchObject({ errors: [{ path: 'updates.250', message: 'Port 20001 is taken.' }] });
      expect(await test.rows('select id from sub_account where proxy_port is not null')).toEqual([]);
      expect((await put('/bulkUpdateSubAccounts', { updates: accounts })).body).toEqual({ changed: 500 });
      await test.rows('update sub_account set proxy_port = null');
    });
  });

  describe('edits a sub-account', () => {
    const edit = async (name: string, body: unknown): Promise<Answer> =>
      put(`/admin/subAccounts/?id=${await test.accountId(name)}`, body);
    it('its ports, proxy port and threshold', async () => {
      const answer = await edit('owner', {
        ports: { SHA256_ASICBOOST: 24_001, SCRYPT: 24_002 },
        proxyPort: 24_003,
        thresholdSat: 1_000_000,
      });
      expect(answer.body).toMatchObject({
        name: 'owner',
        owner: 'owner',
        ports: { SHA256_ASICBOOST: 24_001, SCRYPT: 24_002 },
        proxyPort: 24_003,
        thresholdSat: 1_000_000,
      });
      expect((await owner.call('/api/connectionInfo/')).body).toMatchObject([
        { port: 24_001, dedicated: true },
        { port: 24_002, dedicated: true },
      ]);
      expect((await edit('owner', { thresholdSat: 2_000_000 })).body).toMatchObject({
        ports: { SCRYPT: 24_002 },
        proxyPort: 24_003,
      });
    });
    it.each([
      ["another's port", { proxyPort: 24_001 }],
      ['one port twice', { ports: { SCRYPT: 25_000 }, proxyPort: 25_000 }],
      ["the pool's miner port", { proxyPort: 3311 }],
      ["the pages' port", { ports: { SCRYPT: 3000 } }],
    ])('refuses %s', async (_, body) => {
      expect((await edit('owner-two', body)).code).toBe('port_taken');
      expect(await test.rows("select ports, proxy_port from sub_account where name = 'owner-two'")).toEqual([
        { ports: {}, proxy_port: null },
      ]);
    });
    it('frees a port', async () => {
      expect((await edit('owner', { ports: {}, proxyPort: null })).body).toMatchObject({ ports: {}, proxyPort: null });
      expect((await edit('owner-two', { proxyPort: 24_001 })).status).toBe(200);
    });
  });

  describe("views a user's pages", () => {
    const calls = (Object.keys(contract) as Call[]).filter((call) => call.startsWith('GET /userDashboard/'));
    const urlOf = (call: Call, more: string): string => `/api${call.slice(4)}?${more}`;

    it.each(calls)("%s: as the user's own call, for admins only", async (call) => {
      const own = call.replace('userDashboard/', '');
      const seen = await admin.call(urlOf(call, 'userName=owner'));
      expect(seen.status).toBe(200);
      expect(contract[call].response.safeParse(seen.body).error).toBeUndefined();
      // An admin's view has a read-only ability.
      const readOnly = (text: string): string => text.replaceAll('"action":"manage"', '"action":"read"');
      expect(seen.text).toBe(readOnly((await owner.call(`/api${own.slice(4)}`)).text));
      expect((await admin.call(`/api${call.slice(4)}`)).status).toBe(400);
    });
    it('read-only: every write is a 403, and nothing changes', async () => {
      const write = (who: Person) => who.put('/api/userDashboard/wallet?userName=owner', { btcAddress: A });
      expect([(await write(admin)).code, (await write(owner)).code]).toEqual(['view_as_read_only', 'forbidden']);
      expect((await owner.call('/api/wallet/')).body).toEqual({ btcAddress: null, history: [] });
    });
    it('each view is recorded', async () => {
      const rows = await test.rows<{ call: string }>(
        `select after ->> 'call' as call from audit
         where action = 'view_as.read' and subject = 'owner' and user_id = $1`,
        [admin.userId],
      );
      expect(rows.map(({ call }) => call).sort()).toEqual(calls.map((call) => call.slice(4)).sort());
    });
    it('records a read of another user by the ordinary calls too, not of the own accounts', async () => {
      const named = {
        '/wallet/': 'accountName',
        '/payment/': 'currentAccount',
        '/paymentsHistory/': 'accountName',
        '/liveWorkers/': 'userName',
        '/proxyHashchart/': 'userName',
        '/connectionInfo/': 'userName',
      };
      for (const [call, field] of Object.entries(named)) {
        await admin.call(`/api${call}?${field}=owner`);
        await admin.call(`/api${call}?${field}=boss`);
        await owner.call(`/api${call}?${field}=boss`);
      }
      const [worker] = await test.rows<{ id: number }>(
        "select w.id from worker w join sub_account s on s.id = w.sub_account_id where s.name = 'owner'",
      );
      const numbered = ['uptime', 'events', 'hashchart'];
      for (const call of numbered) {
        expect((await admin.call(`/api/workers/${worker?.id}/${call}`)).status).toBe(200);
        await owner.call(`/api/workers/${worker?.id}/${call}`);
      }
      const rows = await test.rows<{ call: string; subject: string }>(
        `select after ->> 'call' as call, subject from audit
         where action = 'view_as.read' and after ->> 'call' not like '/userDashboard/%'`,
      );
      const looked = [...Object.keys(named), ...numbered.map((call) => `/workers/{id}/${call}`)];
      expect(rows).toHaveLength(looked.length);
      expect(rows).toEqual(expect.arrayContaining(looked.map((call) => ({ call, subject: 'owner' }))));
    });
    it('of a sub-account, when that is what it names', async () => {
      expect((await admin.call('/api/userDashboard/payment?userName=owner-two&isMainAccount=false')).status).toBe(200);
      expect((await admin.call('/api/userDashboard/payment?userName=owner-two')).status).toBe(200);
      expect((await admin.call('/api/userDashboard/wallet?userName=owner-two&isMainAccount=true')).status).toBe(404);
      expect(
        (await admin.call('/api/userDashboard/liveWorkers?userName=owner-two&isMainAccount=false')).body,
      ).toMatchObject({ total: 0 });
      expect(
        (await admin.call('/api/userDashboard/getUserInfo?userName=owner-two&isMainAccount=false')).body,
      ).toMatchObject({ user: { userName: 'owner' } });
    });
    it('shows nothing that the user could not see', async () => {
      expect((await admin.call('/api/userDashboard/wallet?userName=owner&accountName=boss')).status).toBe(404);
      expect((await admin.call('/api/userDashboard/getUserInfo?userName=owner')).body).toMatchObject({ role: 'miner' });
    });
  });

  describe('a legacy user', () => {
    it('sees its whole account, in the algorithm it works in', async () => {
      const { body } = await legacy.call('/api/hashchart/');
      expect((body as { accepted: (number | null)[] }).accepted.some((value) => value !== null && value > 0)).toBe(
        true,
      );
      expect((await admin.call('/api/userDashboard/hashchart?userName=oldtimer')).body).toEqual(body);
    });
    it('has no algorithm list and no account switcher', async () => {
      const { rules } = await legacy.read<{ rules: { subject: string }[] }>('/api/getUserInfo/');
      expect(rules.map(({ subject }) => subject)).not.toEqual(expect.arrayContaining(['algorithm-list']));
      expect(rules.map(({ subject }) => subject)).not.toEqual(expect.arrayContaining(['sub-account-list']));
    });
  });

  describe('the audit log', () => {
    type Page = {
      rows: { userName: string; action: string; subject: string }[];
      total: number;
      nextCursor: string | null;
    };
    const log = (who: Person, more = ''): Promise<Page> => who.read<Page>(`/api/audit?${more}`);
    it('shows users their own entries, an admin all', async () => {
      const own = await log(owner);
      expect(new Set(own.rows.map(({ userName }) => userName))).toEqual(new Set(['owner']));
      expect((await log(owner, 'userName=boss')).total).toBe(0);
      expect((await log(admin, 'userName=owner')).total).toBe(own.total);
    });
    it('filters by action, subject and time; page by page', async () => {
      const users = await log(admin, 'action=user.update&limit=500');
      expect(users.total).toBeGreaterThan(500);
      const rest = await log(admin, `action=user&limit=500&cursor=${users.nextCursor}`);
      expect(rest.rows.length).toBe(users.total - 500);
      expect((await log(admin, 'action=user_')).total).toBe(0);
      expect(
        (await log(admin, 'subject=oldtimer&action=user.update')).rows.every(({ subject }) => subject === 'oldtimer'),
      ).toBe(true);
      expect((await log(admin, 'to=2020-01-01')).total).toBe(0);
      expect((await log(admin, `from=${new Date().toISOString().slice(0, 10)}`)).total).toBeGreaterThan(500);
    });
  });
});
