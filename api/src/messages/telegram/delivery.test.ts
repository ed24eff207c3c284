/** What the bell tells reaches the chats: over real HTTP, with the answers Telegram gives on bad days. */
import { Api } from 'grammy';
import { Bus } from '../../platform/bus';
import { databaseOfFile, emptyTables, insertUsers } from '../../platform/db/testing/test-database';
import { createLog } from '../../platform/log';
import { writeNotes, type Note } from '../notifications';
import { forward } from './forward';
import { enqueue } from '../outbox/outbox';
import { toChat } from './messages';
import { Sender } from '../outbox/sender';
import { telegramDelivery } from './delivery';
import { BOT_TOKEN, startBotApi, type BotApi } from './testing/bot-api';

describe('messages', () => {
  const database = databaseOfFile();
  let telegram: BotApi;
  let now: number;
  const userId = 1;

  beforeEach(async () => {
    await emptyTables(database);
    telegram = await startBotApi();
    now = 1_800_000_000;
    await insertUsers(database, 'anna');
    await database.pool.query("insert into sub_account (user_id, name) values (1, 'anna-two')");
  });
  afterEach(() => telegram.close());

  const sender = (bus = new Bus()): Sender => {
    const { pool } = database;
    const delivery = telegramDelivery({ pool, api: new Api(BOT_TOKEN, { apiRoot: telegram.root }) });
    return new Sender({ pool, bus, log: createLog('silent'), now: () => now, delivery });
  };
  async function chat(
    chatId: number,
    { language = 'en', events = ['offline', 'wallet', 'payment'], accounts = '{}' } = {},
  ): Promise<number> {
    const { rows } = await database.pool.query<{ id: number }>(
      `insert into telegram_connection (user_id, chat_id, language, status, events, sub_account_ids, token_hash,
         session_id, expires_at, linked_at)
       values ($1, $2, $3, 'linked', $4, $5, $6, 's', now(), to_timestamp($7::float8)) returning id`,
      [userId, chatId, language, events, accounts, `hash ${chatId}`, now - 60],
    );
    return rows[0]?.id ?? 0;
  }
  const tell = (...notes: Omit<Note, 'userId'>[]): Promise<unknown> =>
    writeNotes(
      database.pool,
      notes.map((note) => ({ userId, ...note })),
      now,
    );
  const offline = (worker: string, account = 'anna'): Omit<Note, 'userId'> => ({
    kind: 'worker_offline',
    values: { account, worker },
  });
  const put = (chatId: number, ...texts: string[]): Promise<void> =>
    enqueue(
      database.pool,
      texts.map((text) => toChat(chatId, text, text)),
      now,
    );
  const texts = (chatId?: number): string[] =>
    telegram.sent.filter((message) => chatId === undefined || message.chatId === chatId).map(({ text }) => text);
  const statuses = async (): Promise<[string, number][]> => {
    const { rows } = await database.pool.query<{ status: string; attempts: number }>(
      'select status, attempts from outbox order by id',
    );
    return rows.map(({ status, attempts }) => [status, attempts]);
  };

  it('are made of notifications once, in the language of the chat, for what it wants to hear', async () => {
    await chat(1, { language: 'ru' });
    await chat(2, { events: ['payment'] });
    await chat(3, { accounts: '{2}' });
    await tell(
      offline('rig1'),
      { kind: 'payment_sent', values: { account: 'anna-two', amount: '0.5' } },
      { kind: 'referral_joined', values: { name: 'xx***' } },
    );
    const mail = sender();
    expect([await forward(database.pool, now), await forward(database.pool, now)]).toEqual([3, 0]);
    await mail.round();
    expect(texts(1)).toEqual([
      'Воркер <code>rig1</code> аккаунта <code>anna</code> не в сети\n\nОтправлено 0,5 BTC для <code>anna-two</code>',
    ]);
    expect(texts(2)).toEqual(['0.5 BTC sent for <code>anna-two</code>']);
    expect(texts(3)).toEqual(['0.5 BTC sent for <code>anna-two</code>']);
    expect(await mail.round()).toBe(0);
  });

  it("are not made for chats that came later, were blocked, or are somebody else's", async () => {
    await tell(offline('before'));
    now += 10;
    await chat(1);
    await database.pool.query('update telegram_connection set linked_at = to_timestamp($1::float8)', [now]);
    await chat(2);
    await database.pool.query("update telegram_connection set status = 'blocked' where chat_id = 2");
    await forward(database.pool, now);
    await sender().round();
    expect(telegram.sent).toEqual([]);
  });

  it('markup in a name is text', async () => {
    await chat(1);
    await tell(offline('<b>x</b><a href="https://evil.example">&amp;</a> $t(test) {{worker}}'));
    await forward(database.pool, now);
    await sender().round();
    expect(telegram.sent).toEqual([
      expect.objectContaining({
        parseMode: 'HTML',
        text:
          'Worker <code>&lt;b&gt;x&lt;/b&gt;&lt;a href=&quot;https://evil.example&quot;&gt;&amp;amp;&lt;/a&gt; ' +
          '$t(test) {{worker}}</code> of <code>anna</code> is offline',
      }),
    ]);
  });

  it('keep their order in a chat, one a round, and do not wait for other chats', async () => {
    await put(1, 'one', 'two', 'three');
    await put(2, 'other');
    telegram.fail(1, { code: 500, description: 'Internal Server Error' });
    const mail = sender();
    await mail.round();
    expect(texts()).toEqual(['other']);
    expect(await mail.round()).toBe(0);
    for (let i = 0; i < 4; i += 1) {
      now += 1;
      await mail.round();
    }
    expect(texts(1)).toEqual(['one', 'two', 'three']);
  });

  it('are fewer than thirty a second, and one a second to a chat', async () => {
    for (let i = 0; i < 10; i += 1) await put(100 + i, `${i} a`, `${i} b`);
    const mail = sender();
    const begun = Date.now();
    expect([await mail.round(), await mail.round()]).toEqual([10, 0]);
    expect(10 / ((Date.now() - begun) / 1000)).toBeLessThan(30);
    expect(new Set(telegram.sent.map(({ chatId }) => chatId)).size).toBe(10);
    now += 1;
    expect(await mail.round()).toBe(10);
  });

  it('wait as long as a 429 says', async () => {
    await put(1, 'hello');
    telegram.fail(1, { code: 429, description: 'Too Many Requests: retry after 37', retryAfter: 37 });
    const mail = sender();
    await mail.round();
    now += 36;
    expect(await mail.round()).toBe(0);
    now += 1;
    expect(await mail.round()).toBe(1);
    expect([texts(), await statuses()]).toEqual([['hello'], [['sent', 2]]]);
  });

  it('of all chats wait, because the limit is of the bot', async () => {
    for (const chatId of [1, 2, 3, 4]) await put(chatId, `to ${chatId}`);
    telegram.fail(null, { code: 429, description: 'Too Many Requests: retry after 37', retryAfter: 37 });
    const calls = () => telegram.asked.filter((path) => path.includes('sendMessage')).length;
    const mail = sender();
    await mail.round();
    now += 36;
    await put(5, 'to 5');
    expect(await mail.round()).toBe(0);
    expect(calls()).toBe(1);
    now += 1;
    expect(await mail.round()).toBe(5);
    expect(texts().sort()).toEqual([1, 2, 3, 4, 5].map((chatId) => `to ${chatId}`));
  });

  it('are tried again after 5xx and cut connections, in longer and longer turns', async () => {
    await put(1, 'hello');
    telegram.fail(1, { code: 502, description: 'Bad Gateway' }, 'drop', { code: 500, description: 'x' });
    const mail = sender();
    const tries: number[] = [];
    for (let second = 0; second < 20; second += 1) {
      if (await mail.round()) tries.push(second);
      now += 1;
    }
    expect([tries, texts()]).toEqual([[0, 1, 3, 7], ['hello']]);
  });

  it.each([
    [403, 'Forbidden: bot was blocked by the user'],
    [400, 'Bad Request: chat not found'],
    [400, 'Bad Request: something that Telegram will think of'],
  ])(
    'a %d (%s) blocks the connection, its owner is told, and nothing more is sent there',
    async (code, description) => {
      const id = await chat(1);
      await put(1, 'one', 'two');
      telegram.fail(1, { code, description });
      const mail = sender();
      await mail.round();
      now += 3600;
      expect(await mail.round()).toBe(0);
      const { rows } = await database.pool.query('select status from telegram_connection where id = $1', [id]);
      expect(rows).toEqual([{ status: 'blocked' }]);
      expect([texts(), (await statuses()).map(([status]) => status)]).toEqual([[], ['failed', 'failed']]);
      const { rows: told } = await database.pool.query('select user_id as "userId", kind, values from notification');
      expect(told).toEqual([{ userId, kind: 'telegram_refused', values: { name: '1' } }]);
    },
  );

  it('a group that became a supergroup gets them under its new id, beginning with the one under way', async () => {
    const id = await chat(1);
    await put(1, 'one', 'two');
    const description = 'Bad Request: group chat was upgraded to a supergroup chat';
    telegram.fail(1, { code: 400, description, migrateTo: -1001 });
    const mail = sender();
    while (await mail.round()) now += 1;
    await tell(offline('rig'));
    await forward(database.pool, now);
    await mail.round();
    expect([texts(1), texts(-1001)]).toEqual([[], ['one', 'two', expect.stringContaining('rig')]]);
    const { rows } = await database.pool.query('select status, chat_id from telegram_connection where id = $1', [id]);
    expect(rows).toEqual([{ status: 'linked', chat_id: -1001 }]);
  });

  it('one that Telegram does not take does not hold up the next', async () => {
    await put(1, 'bad', 'good');
    telegram.fail(1, { code: 400, description: "Bad Request: can't parse entities" });
    const mail = sender();
    await mail.round();
    expect(await mail.round()).toBe(1);
    expect(texts()).toEqual(['good']);
  });

  it('survive a restart: none lost, none twice; one that was under way comes again after its lease', async () => {
    await put(1, 'first', 'second');
    await sender().round();
    // The server dies between taking the message and hearing Telegram's answer.
    await database.pool.query(
      "update outbox set attempts = 1, next_at = to_timestamp($1::float8) where content = 'second'",
      [now + 60],
    );
    expect(await sender().round()).toBe(0);
    now += 60;
    await sender().round();
    await put(1, 'first', 'second');
    expect([await sender().round(), texts()]).toEqual([0, ['first', 'second']]);
  });

  it('of an answer that was lost go out again: at least once', async () => {
    await put(1, 'hello');
    telegram.fail(1, 'lost');
    const mail = sender();
    await mail.round();
    now += 1;
    await mail.round();
    expect(texts()).toEqual(['hello', 'hello']);
  });

  it('leave by themselves: a notification wakes the sender', async () => {
    await chat(1);
    const bus = new Bus();
    const mail = sender(bus);
    await tell(offline('rig'));
    bus.publish({ type: 'notification', data: { id: 1 }, userId });
    await telegram.until(() => telegram.sent.length === 1);
    await mail.stop();
    expect(await statuses()).toEqual([['sent', 1]]);
  });
});
