/**
 * kill -9 of the sender while mails, webhooks and push messages are queued and sent: none is lost. What the kill cut
 * the answer off of is sent again, as the same message by what its receiver knows it by: the Message-ID of a mail, the
 * `webhook-id`, the tag of a notification. Everything else is sent once. HEAVY=1: 50 kills.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Database } from '../../platform/db/database';
import { postgresDatabase } from '../../platform/db/testing/postgres';
import { startMailServer, type MailServer } from '../mail/testing/smtp';
import { subscribe } from '../push/subscriptions';
import { pushBrowser } from '../push/testing/browser';
import { Secrets } from '../../platform/secrets';
import { eventually } from '../../testing/eventually';
import { TYPESCRIPT } from '../../testing/typescript';
import { makeHook } from '../webhooks/webhooks';
import { enqueue, type Channel } from './outbox';
import type { SenderArguments } from './testing/sender-process';

const KILLS = Number(process.env.KILLS ?? (process.env.HEAVY ? 50 : 1));
/** Longer than a message is reserved for who took it. */
const LATER_S = 61;
/** Receivers of a channel, and messages of it a kill. */
const TARGETS = 8;
const LOAD = 30;
const CHANNELS = ['mail', 'webhook', 'push'] as const satisfies Channel[];
type Got = { channel: Channel; id: string; text: string };

const key = randomBytes(32);
const browser = pushBrowser();
let database: Database & { url: string };
let smtp: MailServer;
let http: Server;
let child: ChildProcess | undefined;
const targets: Record<(typeof CHANNELS)[number], string[]> = { mail: [], webhook: [], push: [] };
const posted: Got[] = [];
const received = (): Got[] => [
  ...smtp.received.map(({ messageId, subject }): Got => ({ channel: 'mail', id: messageId, text: subject })),
  ...posted,
];
let queued = 0;

beforeAll(
  async () => {
    database = await postgresDatabase();
    smtp = await startMailServer();
    http = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const body = Buffer.concat(parts);
        if (request.url === '/hook') {
          const { text } = JSON.parse(body.toString()) as { text: string };
          posted.push({ channel: 'webhook', id: String(request.headers['webhook-id']), text });
        } else {
          const { text, tag } = browser.read(body) as { text: string; tag: string };
          posted.push({ channel: 'push', id: tag, text });
        }
        response.writeHead(201).end();
      });
    });
    await new Promise<void>((resolve) => {
      http.listen(0, '127.0.0.1', resolve);
    });
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const { rows } = await database.pool.query<{ id: number }>(
      "insert into app_user (identity_id, user_name) values ('anna', 'anna') returning id",
    );
    const userId = rows[0]?.id ?? 0;
    const actor = { actorId: userId, ip: null };
    for (let n = 0; n < TARGETS; n += 1) {
      const by = { userId, ip: '', now: Date.now() / 1000 };
      const hook = await makeHook(database.pool, new Secrets([key]), by, { url: `${url}/hook`, events: [] });
      const { p256dh, auth } = browser;
      const push = { endpoint: `${url}/push/${n}`, p256dh, auth, language: 'en' as const, events: [] };
      targets.mail.push(`user${n}@example.com`);
      targets.webhook.push(String(hook?.id));
      targets.push.push(String((await subscribe(database.pool, userId, push, actor)).id));
    }
    await killing();
  },
  240_000 + KILLS * 60_000,
);
afterAll(async () => {
  child?.kill('SIGKILL');
  await smtp.close();
  http.close();
  await database.close();
});

function start(kill: number): Promise<void> {
  const args: SenderArguments = {
    databaseUrl: database.url,
    smtpUrl: smtp.url,
    key: key.toString('base64'),
    offset: kill * LATER_S,
  };
  const started = fork(join(__dirname, 'testing/sender-process.ts'), [JSON.stringify(args)], {
    execArgv: TYPESCRIPT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child = started;
  return new Promise((resolve, reject) => {
    started.once('message', () => resolve());
    started.once('exit', (code) => reject(new Error(`ended with ${code}`)));
  });
}

async function put(): Promise<void> {
  const messages = Array.from({ length: LOAD }, () => {
    const text = `message ${(queued += 1)}`;
    const content = JSON.stringify({ subject: text, text, html: 'x', path: '/', tag: text });
    return CHANNELS.map((channel) => {
      return { channel, target: targets[channel][queued % TARGETS] ?? '', dedupe: text, content };
    });
  }).flat();
  await enqueue(database.pool, messages, Date.now() / 1000);
  // Again: what was queued is queued once.
  await enqueue(database.pool, messages.slice(0, 5), Date.now() / 1000);
}

async function killing(): Promise<void> {
  for (let kill = 0; kill < KILLS; kill += 1) {
    await put();
    await start(kill);
    const until = received().length + 5 + Math.floor(Math.random() * 2 * LOAD);
    await eventually(() => received().length >= until, `messages before kill ${kill + 1}`);
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    child?.kill('SIGKILL');
    await ended;
  }
  await start(KILLS);
  const left = async (): Promise<number> =>
    (await database.pool.query<{ n: number }>("select count(*)::int as n from outbox where status <> 'sent'")).rows[0]
      ?.n ?? -1;
  await eventually(async () => (await left()) === 0, 'all sent', 60_000 + KILLS * 10_000);
}

it.each([
  // Mails are sent one by one.
  { channel: 'mail', atOnce: 1 },
  { channel: 'webhook', atOnce: TARGETS },
  { channel: 'push', atOnce: TARGETS },
])(`$channel: ${KILLS} kills lose nothing, and what comes twice is the same message`, ({ channel, atOnce }) => {
  const got = received().filter((each) => each.channel === channel);
  const texts = new Map<string, string>();
  for (const { id, text } of got) {
    expect([id, texts.get(id) ?? text]).toEqual([id, text]);
    texts.set(id, text);
  }
  expect([...texts.values()].sort()).toEqual(Array.from({ length: queued }, (_, i) => `message ${i + 1}`).sort());
  const twice = got.length - texts.size;
  if (process.env.HEAVY) process.stderr.write(`${channel}: ${got.length} received, ${twice} of them twice\n`);
  expect(twice).toBeLessThanOrEqual(KILLS * atOnce);
});
