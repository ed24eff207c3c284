/**
 * Telegram from the API to the chat: linking, settings, commands, with a stub of the Bot API (security.md 3, 18, 19,
 * 39, 40, 44).
 */
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { abilityFor, createAbility } from '@pool/shared/ability';
import { reads } from '@pool/shared/api/contract';
import { startTelegram, type Telegram } from '../../../messages/telegram';
import { BOT_TOKEN, type BotApi, startBotApi } from '../../../messages/telegram/testing/bot-api';
import { createLog } from '../../../platform/log';
import { PoolChanges } from '../../../stratum/pool-changes';
import { eventually } from '../../../testing/eventually';
import type { Principal } from '../../auth/principal';
import { type Answer, type Person, type TestApp, testApp } from '../../testing/test-app';
import { EventStreams, type Stream } from './event-streams';

describe('events', () => {
  let test: TestApp;
  let port: number;
  const changes = new PoolChanges();
  let owner: Person;
  const open = new Set<IncomingMessage>();

  beforeAll(async () => {
    test = await testApp({ changes, env: { REREAD_SECONDS: '1' } });
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    port = (test.app.server.address() as AddressInfo).port;
    owner = await test.person('owner');
  });
  afterEach(async () => {
    for (const stream of open) stream.destroy();
    open.clear();
  });
  afterAll(() => test.close());

  /** Opens a stream as a browser does: with the session cookie. */
  const listen = (
    who: Person,
  ): Promise<{
    status: number;
    text: () => string;
    until: (found: string) => Promise<unknown>;
    ended: Promise<void>;
    stream: IncomingMessage;
  }> =>
    new Promise((resolve, reject) => {
      get(
        {
          port,
          host: '127.0.0.1',
          path: '/api/events',
          headers: { host: 'pool.test:3000', cookie: who.token ? `__session=${who.token}` : '' },
        },
        (stream) => {
          open.add(stream);
          let text = '';
          stream.on('data', (data: Buffer) => {
            text += data.toString();
          });
          stream.on('error', () => undefined);
          const ended = new Promise<void>((done) => {
            stream.once('close', () => done());
          });
          const until = (found: string) => eventually(() => text.includes(found), `"${found}" in the stream`);
          resolve({ status: stream.statusCode ?? 0, text: () => text, until, ended, stream });
        },
      ).on('error', reject);
    });

  it('are refused to visitors', async () => {
    expect((await listen(test.visitor)).status).toBe(401);
  });

  it("report the caller's own accounts only", async () => {
    const stranger = await test.person('stranger');
    const stream = await listen(await test.signIn('owner'));
    expect(stream.stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
    await stream.until('retry');
    test.bus.publish({ type: 'hashrate', data: { account: 'stranger', algorithm: 'SCRYPT' }, userId: stranger.userId });
    test.bus.publish({ type: 'hashrate', data: { account: 'owner', algorithm: 'SCRYPT' }, userId: owner.userId });
    await stream.until('event: hashrate\ndata: {"account":"owner","algorithm":"SCRYPT"}\n\n');
    expect(stream.text()).not.toContain('stranger');
  });

  it('are limited to five at a time, and a closed one frees its place', async () => {
    const me = await test.signIn('owner');
    const streams = await Promise.all(Array.from({ length: 6 }, () => listen(me)));
    expect(streams.map((stream) => stream.status).sort()).toEqual([200, 200, 200, 200, 200, 429]);
    const first = streams.find((stream) => stream.status === 200);
    first?.stream.destroy();
    await first?.ended;
    await eventually(async () => (await listen(me)).status === 200, 'a free place');
  });

  it('end within seconds of their session, account or role, even when another process ended it', async () => {
    const sql = (text: string, values: unknown[]) => test.database.pool.query(text, values);
    const people = await Promise.all(
      ['leaves', 'revoked', 'disabled', 'promoted', 'stays'].map((name) => test.person(name)),
    );
    const streams = await Promise.all(people.map(listen));
    for (const stream of streams) await stream.until('retry');
    const [leaves, revoked, disabled, promoted] = people as [Person, Person, Person, Person, Person];
    const { statusCode } = await test.app.inject({
      method: 'POST',
      url: '/__clerk/v1/client/sessions',
      query: { _method: 'DELETE' },
      cookies: leaves.cookies,
      headers: { host: 'pool.test:3000', origin: 'http://pool.test:3000' },
    });
    expect(statusCode).toBe(200);
    await sql(
      "update identity_session set status = 'revoked' where user_id = (select identity_id from app_user where id = $1)",
      [revoked.userId],
    );
    await sql('update app_user set disabled = true where id = $1', [disabled.userId]);
    await sql("update app_user set role = 'admin' where id = $1", [promoted.userId]);
    await Promise.all(streams.slice(0, 4).map(({ ended }) => ended));
    test.bus.publish({ type: 'payment', data: { account: 'stays' } });
    await streams[4]?.until('event: payment');
  });

  it('are told nothing any more once they are ended, though a slow reader has not seen the end', async () => {
    const person = await test.person('shut-out');
    const stream = await listen(person);
    await stream.until('retry');
    const { rows } = await test.database.pool.query<{ id: string }>(
      'select id from identity_session where user_id = (select identity_id from app_user where id = $1)',
      [person.userId],
    );
    // Both happen in one turn, as after "it wasn't me": a write to an ended stream would end the server.
    changes.callers(rows.map(({ id }) => id));
    test.bus.publish({ type: 'notification', data: { id: 1 }, userId: person.userId });
    await stream.ended;
    expect(stream.text()).not.toContain('event: notification');
    expect((await listen(test.visitor)).status).toBe(401);
  });

  it('end when the server stops', async () => {
    const other = await testApp();
    await other.app.listen({ port: 0, host: '127.0.0.1' });
    const before = port;
    port = (other.app.server.address() as AddressInfo).port;
    const stream = await listen(await other.person('owner'));
    port = before;
    await stream.until('retry');
    await other.close();
    await stream.ended;
  });
});

describe('event streams', () => {
  const streams = new EventStreams();
  const watcher = { id: 1, scopes: ['workers'] as const, expiresAt: null };
  /** `said`: the types it was sent; `looked`: how often an event came to it. */
  function open(user: number, accounts: string[], token?: Principal['token'], member?: Principal['member']) {
    const facts = { role: 'miner', isLegacyUser: false } as const;
    const limits = member && { role: member.role, money: member.money, limited: member.accounts !== null };
    const ability = token ? createAbility([reads('workers')]) : abilityFor({ ...facts, member: limits });
    const of = { said: [] as string[], looked: 0 };
    const stream: Stream = {
      get me() {
        of.looked += 1;
        return { user: { id: user }, token, member, ability } as Principal;
      },
      send: (text) => of.said.push(/^event: (\w+)/.exec(text)?.[1] ?? ''),
      end: () => undefined,
    };
    streams.set(stream, new Set(accounts));
    of.looked = 0;
    return { of, stream };
  }

  it('an event comes to the streams of its account or user only', () => {
    const [a, b] = [open(1, ['a', 'a-2']), open(2, ['b'])];
    const link = open(1, ['a', 'a-2'], watcher);
    streams.publish({ type: 'workers', data: { account: 'a-2', algorithm: 'SCRYPT' } });
    streams.publish({ type: 'payment', data: { account: 'a' } });
    streams.publish({ type: 'notification', data: { id: 1 }, userId: 1 });
    expect([a.of.said, link.of.said]).toEqual([['workers', 'payment', 'notification'], ['workers']]);
    expect(b.of).toEqual({ said: [], looked: 0 });
    streams.publish({ type: 'upstream', data: { algorithm: 'SCRYPT' } });
    expect([b.of.said, link.of.said]).toEqual([['upstream'], ['workers']]);

    streams.set(a.stream, new Set(['a-3']));
    streams.delete(b.stream);
    streams.publish({ type: 'payment', data: { account: 'a' } });
    streams.publish({ type: 'payment', data: { account: 'a-3' } });
    streams.publish({ type: 'payment', data: { account: 'b' } });
    expect([a.of.said.slice(3), b.of.said]).toEqual([['upstream', 'payment'], ['upstream']]);
    expect(streams.all()).toHaveLength(2);
  });

  it('a member hears what the role may read, of the sub-accounts that it is limited to', () => {
    const technician = { user: { id: 9 }, role: 'technician', money: false, accounts: [2] } as Principal['member'];
    const { of } = open(5, ['hall-b'], undefined, technician);
    for (const account of ['hall-a', 'hall-b']) {
      streams.publish({ type: 'workers', data: { account, algorithm: 'SCRYPT' }, userId: 5 });
      streams.publish({ type: 'payment', data: { account }, userId: 5 });
    }
    streams.publish({ type: 'notification', data: { id: 1 }, userId: 9 });
    expect(of.said).toEqual(['workers', 'notification']);
  });
});

type Link = { id: number; token: string; deepLink: string; expiresAt: string };
const CHAT = { id: 42, username: 'anna_tg', language_code: 'fr-FR' };

describe('telegram', () => {
  let test: TestApp;
  let botApi: BotApi;
  let telegram: Telegram;
  let owner: Person;
  let stranger: Person;
  let passed = 0;
  let logged = '';
  const log = createLog(
    'debug',
    new Writable({
      write(chunk: Buffer, _, done) {
        logged += chunk.toString();
        done();
      },
    }),
  );
  const now = (): number => Date.now() / 1000 + passed;

  beforeAll(async () => {
    botApi = await startBotApi();
    const handle: { telegram: Telegram | null } = { telegram: null };
    test = await testApp({
      now,
      log,
      telegram: { botName: () => handle.telegram?.botName() ?? null },
    });
    telegram = startTelegram({
      pool: test.database.pool,
      bus: test.bus,
      token: BOT_TOKEN,
      apiRoot: `${botApi.root}/`,
      log,
      now,
      pace: { targetGapS: 0.02, gapMs: 0, roundMs: 20 },
    });
    handle.telegram = telegram;
    owner = await test.person('owner');
    stranger = await test.person('stranger');
    await botApi.until(() => telegram.botName() !== null);
  });
  beforeEach(async () => {
    passed = 0;
    botApi.sent.length = 0;
    // One table at a time: the sender is running, and holds rows of one while it reads another.
    for (const table of ['outbox', 'notification', 'telegram_connection'])
      await test.database.pool.query(`delete from ${table}`);
  });
  afterAll(async () => {
    await telegram.stop();
    await test.close();
    await botApi.close();
  });

  const rows = async (): Promise<{ id: number; chat_id: number | null; status: string }[]> =>
    (
      await test.database.pool.query<{ id: number; chat_id: number | null; status: string }>(
        'select id, chat_id, status from telegram_connection order by id',
      )
    ).rows;
  const make = async (who = owner, body: object = {}): Promise<Link> =>
    (await who.post('/api/telegram/', body)).body as Link;
  const read = (token: string, who = owner): Promise<Answer> => who.call(`/api/telegram/auth?token=${token}`);
  const confirm = (token: string, who = owner): Promise<Answer> => who.post('/api/telegram/auth', { token });
  /** Sends the bot a message; resolves with its reply. */
  async function ask(
    text: string,
    chat: { id: number; username?: string; language_code?: string } = CHAT,
  ): Promise<string> {
    const before = botApi.sent.filter(({ chatId }) => chatId === chat.id).length;
    botApi.write(chat, text);
    await botApi.until(() => botApi.sent.filter(({ chatId }) => chatId === chat.id).length > before);
    return botApi.sent.filter(({ chatId }) => chatId === chat.id)[before]?.text ?? '';
  }
  const arrived = (found: string, chatId = CHAT.id): Promise<void> =>
    botApi.until(() => botApi.sent.some((message) => message.chatId === chatId && message.text.includes(found)));
  async function linked(
    who = owner,
    chat: { id: number; username?: string } = CHAT,
    body: object = {},
  ): Promise<number> {
    const { token, id } = await make(who, body);
    await ask(`/start ${token}`, chat);
    expect((await confirm(token, who)).status).toBe(200);
    // "Almost done", and then "This chat now gets your alerts of your accounts".
    await botApi.until(() => botApi.sent.filter(({ chatId }) => chatId === chat.id).length >= 2);
    return id;
  }

  it('links a chat: link, chat that opens it, session that confirms it', async () => {
    const link = await make(owner, { language: 'ru', events: ['offline', 'payment'] });
    expect(link.deepLink).toBe(`https://t.me/pool_test_bot?start=${link.token}`);
    expect(link.token).toMatch(/^[\w-]{32}$/);
    expect(Date.parse(link.expiresAt) / 1000 - now()).toBeCloseTo(600, -1);
    expect((await read(link.token)).body).toMatchObject({ state: 'waiting', username: null });
    expect((await confirm(link.token)).code).toBe('telegram_not_started');
    expect(await ask(`/start ${link.token}`)).toContain('подтвердите');
    expect((await read(link.token)).body).toMatchObject({ state: 'started', username: 'anna_tg' });
    expect((await owner.call('/api/telegram/')).body).toMatchObject([{ status: 'pending' }]);
    const done = await confirm(link.token);
    expect(done.body).toEqual({
      id: link.id,
      chatId: 42,
      username: 'anna_tg',
      language: 'ru',
      status: 'linked',
      linkedAt: expect.any(String) as string,
      subAccountIds: [],
      events: ['offline', 'payment'],
    });
    expect((await read(link.token)).body).toMatchObject({ state: 'linked' });
    expect((await owner.call('/api/telegram/')).body).toEqual([done.body]);
    await arrived('Теперь этот чат');
    expect((await owner.call('/api/notifications')).body).toMatchObject({
      notifications: [{ kind: 'telegram_linked', values: { name: 'anna_tg' } }],
    });
  });

  it('GET /telegram/auth only reads: it links nothing', async () => {
    const { token } = await make();
    await ask(`/start ${token}`);
    const before = await rows();
    expect((await read(token)).status).toBe(200);
    expect(await rows()).toEqual(before);
    expect(before).toMatchObject([{ status: 'pending' }]);
  });

  it('a used or expired link, or one of another user or session, does not link', async () => {
    const used = await make();
    await ask(`/start ${used.token}`);
    expect((await confirm(used.token)).status).toBe(200);
    expect([(await confirm(used.token)).status, (await confirm(used.token)).code]).toEqual([410, 'telegram_link_used']);
    expect(await ask(`/start ${used.token}`, { id: 43 })).toContain('no longer works');

    const planted = await make();
    await ask(`/start ${planted.token}`, { id: 43 });
    const foreign = await confirm(planted.token, stranger);
    const absent = await confirm('x'.repeat(32), stranger);
    expect([
      foreign.status,
      (await read(planted.token, stranger)).status,
      (await confirm(planted.token, await test.signIn('owner'))).status,
      test.visitor.token,
    ]).toEqual([404, 404, 404, '']);
    expect(foreign.text).toBe(absent.text);
    // The first chat that opens the link is the one shown and confirmed.
    expect(await ask(`/start ${planted.token}`, { id: 44 })).toContain('no longer works');
    passed = 601;
    expect([
      (await read(planted.token)).status,
      (await confirm(planted.token)).status,
      (await confirm(planted.token)).code,
    ]).toEqual([410, 410, 'telegram_link_expired']);
    expect(await ask(`/start ${planted.token}`, { id: 43 })).toContain('no longer works');
    expect(await rows()).toEqual([
      expect.objectContaining({ chat_id: 42, status: 'linked' }),
      expect.objectContaining({ chat_id: 43, status: 'pending' }),
    ]);
    expect((await owner.call('/api/telegram/')).body as unknown[]).toHaveLength(1);
  });

  it("only the token's hash is stored, and a new link invalidates the previous one", async () => {
    const first = await make();
    const second = await make();
    const {
      rows: [row],
    } = await test.database.pool.query('select * from telegram_connection');
    expect(JSON.stringify(row)).not.toContain(second.token);
    expect([(await read(first.token)).status, (await read(second.token)).status]).toEqual([404, 200]);
    const { rows: audited } = await test.database.pool.query("select * from audit where action like 'telegram.%'");
    expect(audited.length).toBeGreaterThan(0);
    expect(JSON.stringify(audited)).not.toContain(second.token);
  });

  it('the 11th wrong token in a minute is 429, whatever its X-Forwarded-For; also in a chat', async () => {
    const codes: number[] = [];
    const session = await test.signIn('owner');
    for (let i = 0; i < 11; i += 1) {
      const answer = await test.app.inject({
        url: `/api/telegram/auth?token=${String(i).repeat(32)}`.slice(0, 60),
        remoteAddress: '10.9.0.1',
        headers: {
          host: 'pool.test:3000',
          authorization: `Bearer ${session.token}`,
          'x-forwarded-for': `203.0.113.${i}`,
        },
      });
      codes.push(answer.statusCode);
    }
    expect(codes).toEqual([...Array<number>(10).fill(404), 429]);
    const { token } = await make();
    for (let i = 0; i < 10; i += 1) botApi.write({ id: 77 }, `/start wrong${i}`);
    botApi.write({ id: 77 }, `/start ${token}`);
    const answers = (): string[] => botApi.sent.filter(({ chatId }) => chatId === 77).map(({ text }) => text);
    await eventually(async () => answers().length >= 11, 'eleven answers');
    expect(answers().at(-1)).toContain('Too many tries');
    expect(await rows()).toMatchObject([{ chat_id: null }]);
  });

  it('changes settings, tests and ends a connection: the chat gets messages, and all is recorded', async () => {
    const id = await linked();
    const {
      rows: [account],
    } = await test.database.pool.query<{ id: number }>("select id from sub_account where name = 'owner'");
    expect(
      (
        await owner.put(`/api/telegram/${id}`, {
          language: 'ar',
          events: ['digest', 'digest'],
          subAccountIds: [account?.id],
        })
      ).body,
    ).toMatchObject({ language: 'ar', events: ['digest'], subAccountIds: [account?.id] });
    await arrived('غُيّر');
    expect((await owner.post(`/api/telegram/${id}/test`)).body).toEqual({ queued: true });
    await arrived('رسالة اختبار');
    expect((await owner.del(`/api/telegram/${id}`)).body).toEqual({ deleted: true });
    await arrived('<code>owner</code>');
    expect((await owner.call('/api/telegram/')).body).toEqual([]);
    const { rows: audited } = await test.database.pool.query<{ action: string }>(
      "select action from audit where subject = $1 and action like 'telegram.%' order by id",
      [String(id)],
    );
    expect(audited.map(({ action }) => action)).toEqual([
      'telegram.create',
      'telegram.link',
      'telegram.change',
      'telegram.test',
      'telegram.delete',
    ]);
  });

  it("stops and resumes on the chat's commands, and stops when the chat blocks the bot", async () => {
    await linked();
    expect(await ask('/stop')).toContain('/start turns them on again');
    expect(await rows()).toMatchObject([{ status: 'blocked' }]);
    expect(await ask('/start')).toContain('on again');
    expect(await rows()).toMatchObject([{ status: 'linked' }]);
    const becomes = (status: string) =>
      eventually(async () => (await rows())[0]?.status === status, `the status ${status}`);
    botApi.member(CHAT, 'kicked');
    await becomes('blocked');
    botApi.member(CHAT, 'member');
    await becomes('linked');
    botApi.migrate(CHAT, -1007);
    await eventually(async () => (await rows())[0]?.chat_id === -1007, 'the id of the supergroup');
  });

  it('in a group only who linked it, or its administrators, stop it and see names; the owner is told', async () => {
    const GROUP = { id: -500, title: 'Farm' };
    const [friend, stranger, boss] = [{ id: 61 }, { id: 62 }, { id: 63 }];
    botApi.admins.add(boss.id);
    const say = async (from: { id: number }, text: string): Promise<string> => {
      const before = botApi.sent.filter(({ chatId }) => chatId === GROUP.id).length;
      botApi.write(from, text, GROUP);
      await botApi.until(() => botApi.sent.filter(({ chatId }) => chatId === GROUP.id).length > before);
      return botApi.sent.filter(({ chatId }) => chatId === GROUP.id)[before]?.text ?? '';
    };
    const { token } = await make();
    await say(friend, `/start ${token}`);
    expect((await confirm(token)).status).toBe(200);
    await arrived('now gets your alerts', GROUP.id);
    for (const command of ['/status', '/stop', '/start'])
      expect(await say(stranger, command)).toContain('Only the person who');
    expect(await rows()).toMatchObject([{ status: 'linked' }]);
    for (const who of [friend, boss]) {
      expect(await say(who, '/status')).toContain('owner');
      expect(await say(who, '/stop')).toContain('Alerts are off');
      expect(await rows()).toMatchObject([{ status: 'blocked' }]);
      expect(await say(who, '/start')).toContain('on again');
    }
    const { notifications } = (await owner.call('/api/notifications')).body as { notifications: { kind: string }[] };
    expect(notifications.filter(({ kind }) => kind === 'telegram_stopped')).toMatchObject([
      { values: { name: 'Farm' } },
      { values: { name: 'Farm' } },
    ]);
  });

  it('answers /status and /help, also to chats that are not linked', async () => {
    expect(await ask('/status', { id: 50, language_code: 'ru' })).toContain('не связан');
    expect(await ask('/help', { id: 50, language_code: 'de' })).toContain('/status');
    await linked();
    await test.work([
      { account: 'owner', worker: 'a', at: Math.floor(now()) - 60, accepted: 1 },
      { account: 'owner', worker: 'b', at: Math.floor(now()) - 3600, accepted: 1 },
    ]);
    expect(await ask('/status')).toBe('<code>owner</code>: running 1, offline 1');
  });

  it("neither the bot's token nor a link's is in the log", async () => {
    const { token } = await make();
    await read(token);
    botApi.fail(CHAT.id, 'drop', { code: 500, description: 'x' });
    await ask(`/start ${token}`);
    await confirm(token);
    expect(logged).toContain('will be retried');
    expect(logged.includes(token) || logged.includes(BOT_TOKEN) || logged.includes('test-token')).toBe(false);
  });
});
