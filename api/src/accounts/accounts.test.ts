/** The miner password of an account, and its end: what is owed keeps it, and afterwards nothing of it gets in or earns. */
import { connect } from 'node:net';
import type { Connection } from '@pool/shared/api/contract';
import { dayOf, startOfDay } from '../platform/days';
import { askSignIn, testApp, type Answer, type Person, type TestApp } from '../http/testing/test-app';
import { BROWSER, POOL } from '../http/testing/walk';
import { pgAccountDirectory } from '../stratum';
import { hashMinerPassword, isMinerPassword } from '../stratum/miner/access/miner-password';
import { PoolChanges } from '../stratum/pool-changes';
import { RawClient, testProxy, type TestProxy } from '../stratum/testing/test-proxy';
import { StubUpstream } from '../stratum/testing/upstream';

const ADDRESS = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
/** The work of ten petahashes a second in an hour. */
const WORK = (1e16 * 3600) / 2 ** 32;
const DAY_S = 86_400;

const PASSWORD = 'a long secret'.replaceAll(' ', '-');
const BAD_NONCE = 'bad00000';
const changes = new PoolChanges();
let test: TestApp;
let now = startOfDay(dayOf(Date.now() / 1000)) + 7200;
beforeAll(async () => {
  test = await testApp({ changes, now: () => now });
});
afterAll(() => test.close());

describe('strangers who mine in an account’s name', () => {
  let owner: Person;
  let proxy: TestProxy;
  let upstream: StubUpstream;
  const clients: RawClient[] = [];

  beforeAll(async () => {
    upstream = await new StubUpstream({
      submit: ([, , , , nonce]) =>
        nonce === BAD_NONCE ? { result: null, error: [23, 'low', null] } : { result: true, error: null },
    }).start();
    owner = await test.person('mina');
  });
  afterAll(() => upstream.kill());
  beforeEach(async () => {
    proxy = await testProxy([upstream.target], {
      directory: pgAccountDirectory(test.database.pool, changes),
    });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await proxy.proxy.stop();
  });

  const connectFrom = (localAddress: string): RawClient => {
    const made = new RawClient(connect({ port: proxy.port, host: '127.0.0.1', localAddress }));
    clients.push(made);
    return made;
  };
  async function authorise(name: string, password: string, localAddress = '127.0.0.1'): Promise<RawClient | null> {
    const c = connectFrom(localAddress);
    await c.call('mining.subscribe', []);
    return (await c.call('mining.authorize', [name, password])).result === true ? c : null;
  }
  async function submit(c: RawClient, name: string, nonce: string): Promise<unknown> {
    const job = (await c.notification('mining.notify')).params?.[0];
    return (await c.call('mining.submit', [name, job, '00000001', '65000000', nonce])).result;
  }
  const setPassword = (password: string | null, who = owner): Promise<Answer> =>
    who.put('/api/minerPassword/?accountName=mina', { password });
  const shown = async (): Promise<boolean | undefined> =>
    ((await owner.call('/api/connectionInfo/')).body as Connection[])[0]?.passwordSet;

  it('counts at most as many rejects of a connection as it had accepted shares before', async () => {
    const c = await authorise('mina.rig', 'x', '127.0.0.2');
    if (!c) throw new Error('refused');
    for (let n = 0; n < 20; n += 1) expect(await submit(c, 'mina.rig', BAD_NONCE)).toBeNull();
    expect(proxy.sink.shares).toEqual([]);
    expect(await submit(c, 'mina.rig', '00000001')).toBe(true);
    for (const en2 of ['00000002', '00000003']) {
      const job = (await c.notification('mining.notify')).params?.[0];
      await c.call('mining.submit', ['mina.rig', job, en2, '65000000', BAD_NONCE]);
    }
    expect(proxy.sink.shares.map(({ outcome }) => outcome)).toEqual(['accepted', 'rejected']);
  });

  it('the miner password keeps strangers out; only the owner sets it, nobody can read it', async () => {
    expect(await shown()).toBe(false);
    const before = await authorise('mina.rig', 'x');
    expect((await setPassword(PASSWORD)).body).toEqual({ passwordSet: true });
    await before?.ended();
    expect(await shown()).toBe(true);
    for (const wrong of ['x', '', `${PASSWORD}x`, PASSWORD.slice(0, -1)])
      expect(await authorise('mina.rig', wrong)).toBeNull();
    const right = await authorise('mina.rig', `d=1024,${PASSWORD}`);
    if (!right) throw new Error('refused');
    // A worker with the right password is the owner's, so all its rejects count.
    await submit(right, 'mina.rig', BAD_NONCE);
    expect(proxy.sink.count('rejected')).toBe(1);

    const stranger = await test.person('stranger');
    expect((await setPassword(null, stranger)).status).toBe(404);
    expect((await setPassword('too short')).status).toBe(400);
    expect((await setPassword('with a space and more')).status).toBe(400);
    const { rows } = await test.database.pool.query<{ all: string }>(
      `select json_agg(x)::text as all
       from (
         select s.miner_password, a.action, a.before, a.after
         from sub_account s
         join audit a on a.subject = s.name
         where s.name = 'mina' and a.action = 'sub_account.miner_password'
       ) x`,
    );
    expect(rows[0]?.all).toContain('"passwordSet": true');
    expect(rows[0]?.all).not.toContain(PASSWORD);
    expect((await setPassword(null)).body).toEqual({ passwordSet: false });
    expect(await authorise('mina.rig', 'x')).not.toBeNull();
  });

  it('the hash is salted, and the whole password must match', () => {
    const stored = hashMinerPassword(PASSWORD);
    expect(stored).not.toBe(hashMinerPassword(PASSWORD));
    expect([PASSWORD, `${PASSWORD},d=5`, `D=5,${PASSWORD}`].map((given) => isMinerPassword(stored, given))).toEqual([
      true,
      true,
      true,
    ]);
    for (const given of [undefined, null, 5, {}, '', stored, `${PASSWORD},x`])
      expect(isMinerPassword(stored, given)).toBe(false);
    for (const broken of ['', ':', 'a:b']) expect(isMinerPassword(broken, PASSWORD)).toBe(false);
  });
});

describe('deleting an account', () => {
  let boss: Person;
  beforeAll(async () => {
    boss = await test.person('boss', { role: 'admin' });
  });

  const sql = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await test.database.pool.query(text, values)).rows as T[];
  const obstacles = async (who: Person) => (await who.call('/api/account/closing')).body;
  const close = (who: Person) => who.del('/api/account');
  const post = (who: Person, path: string, body: unknown = {}) => who.post(path, body);
  /** Signed in just now: `now` of the server is set by the test. */
  const recently = (who: Person) => {
    now = Date.now() / 1000;
    return test.signIn(who.name);
  };
  const works = (account: string, at: number) => test.work([{ account, at, accepted: WORK, span: 3600 }]);
  /** The referral code of `owner`, activated by `guest`. */
  const refer = async (owner: Person, guest: Person) => {
    const { code } = (await post(owner, '/api/referral/code')).body as { code: string };
    expect((await post(guest, '/api/referral/activate', { referralCode: code })).status).toBe(200);
  };

  it('is refused until every satoshi is paid and confirmed, also referral money', async () => {
    const miner = await test.person('miner');
    const friend = await test.person('friend');
    await post(miner, '/api/subAccounts/', { name: 'barn' });
    await refer(friend, miner);
    const days = [now - 3 * DAY_S, now - 2 * DAY_S];
    await works('barn', days[0] ?? 0);
    await sql("update sub_account set btc_address = $1, threshold_sat = 10000 where name = 'barn'", [ADDRESS]);
    await sql("update referral set activated_at = now() - interval '10 days'");
    const owed = { obstacles: [{ account: 'barn', obstacle: 'balance_not_zero' }] };
    expect(await obstacles(miner)).toEqual(owed);
    expect((await post(boss, '/api/calculatePayments/')).status).toBe(200);
    expect(await obstacles(miner)).toEqual(owed);
    expect(await obstacles(friend)).toEqual({ obstacles: [{ account: null, obstacle: 'referral_balance' }] });
    const [payment] = await sql<{ id: number }>('select id from payment');
    for (const change of [
      { status: 'queued' },
      { status: 'unknown' },
      { status: 'sent', txid: 'a'.repeat(64) },
      { status: 'confirmed' },
    ]) {
      expect(await obstacles(miner)).toEqual(owed);
      const [row] = await sql<{ version: number }>('select version from payment where id = $1', [payment?.id]);
      const moved = await boss.put(`/api/payments/?id=${payment?.id}`, { version: row?.version, ...change });
      expect([change.status, moved.status]).toEqual([change.status, 200]);
    }
    expect(await obstacles(miner)).toEqual({ obstacles: [] });
    await works('miner', now - 600);
    expect(await obstacles(miner)).toEqual({ obstacles: [{ account: 'miner', obstacle: 'workers_active' }] });
    const refused = await close(await recently(miner));
    expect([refused.status, refused.code]).toEqual([409, 'account_not_empty']);
    expect((await miner.call('/api/getUserInfo/')).status).toBe(200);
  });

  it('is refused to the last admin, and without a recent sign-in', async () => {
    expect(await obstacles(boss)).toEqual({ obstacles: [{ account: null, obstacle: 'last_admin' }] });
    expect((await close(await recently(boss))).code).toBe('account_not_empty');
    await test.person('idle');
    expect((await close(await test.oldSession('idle'))).code).toBe('reverification_required');
  });

  it('is refused to the only owner of an organization, whose members and invitations end with it', async () => {
    const [barn, owner, other] = [await test.person('farm'), await test.person('owner'), await test.person('heir')];
    await sql("insert into organization (id, user_id, name, slug) values ('org_1', $1, 'Farm', 'farm')", [barn.userId]);
    const member = (person: Person, role: string) =>
      sql("insert into organization_member (id, organization_id, user_id, role) values ($1, 'org_1', $2, $3)", [
        person.name,
        person.userId,
        role,
      ]);
    await member(owner, 'owner');
    await member(other, 'manager');
    await sql(
      `insert into organization_invitation (id, organization_id, email, token_hash, role, invited_by, expires_at)
       values ('orginv_1', 'org_1', 'owner@example.com', 'x', 'owner', $1, now())`,
      [owner.userId],
    );
    expect(await obstacles(owner)).toEqual({ obstacles: [{ account: null, obstacle: 'last_owner' }] });
    expect((await close(await recently(owner))).code).toBe('account_not_empty');
    await sql("update organization_member set role = 'owner' where user_id = $1", [other.userId]);
    // Exactly one of the two stays, in either order.
    const both = [await recently(owner), await recently(other)];
    expect((await Promise.all(both.map(close))).map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await sql("select role from organization_member where organization_id = 'org_1'")).toEqual([
      { role: 'owner' },
    ]);
    expect((await close(await recently(barn))).status).toBe(200);
    expect(await sql('select id from organization')).toEqual([]);
  });

  it('ends every access, deletes what is personal, and keeps the names', async () => {
    const person = await test.person('gone');
    const { token } = (await post(person, '/api/watchers', { name: 'wall', scopes: ['hashrate'] })).body as {
      token: string;
    };
    const watcher = { headers: { authorization: `Bearer ${token}` } };
    expect((await test.visitor.call('/api/hashchart/', watcher)).status).toBe(200);
    await sql(
      `with made as (
         insert into worker_group (sub_account_id, name) select id, 'Garage' from sub_account where name = 'gone' returning *
       )
       insert into worker (sub_account_id, algorithm, name, group_id)
       select sub_account_id, 'SCRYPT', 'rig', id from made`,
    );
    const waits = (target: string) =>
      sql(
        `insert into outbox (channel, target, dedupe, content, next_at, created_at, expires_at)
         values ('mail', $1, $1, 'a code', now(), now(), now())`,
        [target],
      );
    for (const target of ['gone@example.com', 'stays@example.com']) await waits(target);
    const made = [
      ['apiKeys', { name: 'Left key', scopes: ['hashrate'] }],
      ['webhooks', { url: 'https://left.example/hook', events: ['offline'] }],
      ['push', { ...BROWSER, endpoint: 'https://left.example/push' }],
      ['poolConfigs/', { ...POOL, name: 'Left pool', url: 'stratum+tcp://left.example:3333' }],
    ] as const;
    for (const [path, body] of made)
      expect([path, (await post(person, `/api/${path}`, body)).status]).toEqual([path, 200]);
    await sql(
      `insert into telegram_connection (user_id, events, token_hash, session_id, expires_at, chat_id, status, linked_at)
       select id, '{offline}', 'left hash', 'session', now() + interval '1 hour', 7700770077, 'linked', now() from app_user where user_name = 'gone'`,
    );
    await sql(`with u as (update identity_user set picture = 'left picture' where user_name = 'gone' returning id)
       insert into identity_picture (user_id, bytes) select id, 'Left bytes' from u`);
    expect((await askSignIn(test.app, 'gone@example.com', '10.8.0.1')).statusCode).toBe(200);
    const gone = await recently(person);
    expect(await obstacles(gone)).toEqual({ obstacles: [] });
    expect((await close(gone)).body).toEqual({ deleted: true });
    expect((await gone.call('/api/getUserInfo/')).status).toBe(401);
    expect((await test.visitor.call('/api/hashchart/', watcher)).status).toBe(401);
    expect(
      await sql(
        `select disabled, email, (select count(*)::int from identity_user where user_name = 'gone') as identities
         from app_user where user_name = 'gone'`,
      ),
    ).toEqual([{ disabled: true, email: null, identities: 0 }]);
    const tables = await sql<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname !~ '^audit'",
    );
    const left: string[] = [];
    // A random key or hash may have four of these letters, or six digits, by chance.
    const own = 'gone@example\\.com|Garage|left[ .][a-z]|7700770077|4c656674';
    for (const { name } of tables)
      if ((await sql(`select from "${name}" t where t::text ~* $1 limit 1`, [own])).length) left.push(name);
    expect(left).toEqual([]);
    expect(await sql('select target from outbox')).toEqual([{ target: 'stays@example.com' }]);
    const taken = await post(await test.person('other'), '/api/subAccounts/', { name: 'gone' });
    expect(taken.code).toBe('account_name_taken');
  });

  it('ends what its referrals earn: nothing is owed to an account that is gone', async () => {
    const referrer = await test.person('referrer');
    const guest = await test.person('guest');
    await refer(referrer, guest);
    expect((await close(await recently(referrer))).status).toBe(200);
    const tomorrow = startOfDay(dayOf(now)) + DAY_S;
    await works('guest', tomorrow);
    now = tomorrow + DAY_S + 7200;
    expect((await post(boss, '/api/calculatePayments/')).status).toBe(200);
    expect(
      await sql(
        "select sum(net_sat) > 0 as paid from earning e join sub_account s on s.id = e.sub_account_id where s.name = 'guest'",
      ),
    ).toEqual([{ paid: true }]);
    expect(await sql("select 1 from ledger where party = 'referrer' and user_id = $1", [referrer.userId])).toEqual([]);
  });
});
