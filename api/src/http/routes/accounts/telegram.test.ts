/**
 * Telegram from the API to the chat: linking, settings, commands, with a stub of the Bot API (security.md 3, 18, 19,
 * 39, 40, 44).
 */
import { Writable } from 'node:stream';
import { createLog } from '../../../platform/log';
import { type Note, writeNotes } from '../../../messages/notifications';
import { startTelegram, type Telegram } from '../../../messages/telegram';
import { BOT_TOKEN, startBotApi, type BotApi } from '../../../messages/telegram/testing/bot-api';
import { testApp, type Answer, type Person, type TestApp } from '../../testing/test-app';
import { eventually } from '../../../testing/eventually';

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
      telegram: { botName: () => handle.telegram?.botName() ?? null, wake: () => handle.telegram?.wake() },
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

  const notify = (kind: string, values: Note['values']): Promise<void> =>
    writeNotes(test.database.pool, [{ userId: owner.userId, kind, values }], Date.now() / 1000);
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

  it('row 18: GET /telegram/auth only reads: it links nothing', async () => {
    const { token } = await make();
    await ask(`/start ${token}`);
    const before = await rows();
    expect((await read(token)).status).toBe(200);
    expect(await rows()).toEqual(before);
    expect(before).toMatchObject([{ status: 'pending' }]);
  });

  it('row 39: a used or expired link, or one of another user or session, does not link', async () => {
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

  it("row 39: only the token's hash is stored, and a new link invalidates the previous one", async () => {
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

  it('row 19: the 11th wrong token in a minute is 429, whatever its X-Forwarded-For; also in a chat', async () => {
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
    botApi.fail(CHAT.id, { code: 403, description: 'Forbidden: bot was blocked by the user' });
    await notify('payment_sent', { account: 'owner', amount: '1' });
    const becomes = (status: string) =>
      eventually(async () => (await rows())[0]?.status === status, `the status ${status}`);
    await becomes('blocked');
    botApi.member(CHAT, 'member');
    await becomes('linked');
    botApi.migrate(CHAT, -1007);
    await eventually(async () => (await rows())[0]?.chat_id === -1007, 'the id of the supergroup');
    botApi.member({ ...CHAT, id: -1007 }, 'kicked');
    await becomes('blocked');
    expect((await owner.call('/api/telegram/')).body).toMatchObject([{ status: 'blocked' }]);
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
    expect(await ask('/status')).toBe('<code>owner</code>: online 1, offline 1');
  });

  it("row 44: neither the bot's token nor a link's is in the log", async () => {
    const { token } = await make();
    await read(token);
    botApi.fail(CHAT.id, 'drop', { code: 500, description: 'x' });
    await ask(`/start ${token}`);
    await confirm(token);
    expect(logged).toContain('will be retried');
    expect(logged.includes(token) || logged.includes(BOT_TOKEN) || logged.includes('test-token')).toBe(false);
  });
});
