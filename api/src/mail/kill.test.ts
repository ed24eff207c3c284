/**
 * kill -9 of the sender while mails are queued and sent: none is lost. A mail whose answer the kill cut off is sent
 * again, with the same Message-ID, by which a receiver knows it; every other one is sent once. HEAVY=1: 50 kills.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Database } from '../db/database';
import { postgresDatabase } from '../db/testing/postgres';
import { enqueue } from '../outbox/outbox';
import { eventually } from '../testing/eventually';
import { TYPESCRIPT } from '../testing/typescript';
import { startMailServer, type MailServer } from './testing/smtp';
import type { SenderArguments } from './testing/sender-process';

const KILLS = Number(process.env.KILLS ?? (process.env.HEAVY ? 50 : 2));
/** Longer than a message is reserved for who took it. */
const LATER_S = 61;

let database: Database & { url: string };
let smtp: MailServer;
let child: ChildProcess | undefined;

beforeAll(async () => {
  database = await postgresDatabase();
  smtp = await startMailServer();
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await smtp.close();
  await database.close();
});

function start(kill: number): Promise<void> {
  const args: SenderArguments = { databaseUrl: database.url, smtpUrl: smtp.url, offset: kill * LATER_S };
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

it(
  `the sender is killed ${KILLS} times`,
  async () => {
    let queued = 0;
    const put = async (n: number): Promise<void> => {
      const mails = Array.from({ length: n }, () => ({
        channel: 'mail' as const,
        target: `user${(queued += 1) % 40}@example.com`,
        dedupe: `mail ${queued}`,
        content: JSON.stringify({ subject: `mail ${queued}`, text: 'x', html: 'x' }),
      }));
      await enqueue(database.pool, mails, Date.now() / 1000);
      // Again: what was queued is queued once.
      await enqueue(database.pool, mails.slice(0, 5), Date.now() / 1000);
    };
    for (let kill = 0; kill < KILLS; kill += 1) {
      await put(30);
      await start(kill);
      const until = smtp.received.length + 5 + Math.floor(Math.random() * 20);
      await eventually(() => smtp.received.length >= until, `mails before kill ${kill + 1}`);
      const ended = new Promise((resolve) => child?.once('exit', resolve));
      child?.kill('SIGKILL');
      await ended;
    }
    await start(KILLS);
    const left = async (): Promise<number> =>
      (await database.pool.query<{ n: number }>("select count(*)::int as n from outbox where status <> 'sent'")).rows[0]
        ?.n ?? -1;
    await eventually(async () => (await left()) === 0, 'all sent', 60_000 + KILLS * 10_000);

    const subjects = new Map<string, string>();
    for (const { subject, messageId } of smtp.received) {
      expect([messageId, subjects.get(messageId) ?? subject]).toEqual([messageId, subject]);
      subjects.set(messageId, subject);
    }
    expect([...subjects.values()].sort()).toEqual(Array.from({ length: queued }, (_, i) => `mail ${i + 1}`).sort());
    // One mail was being sent at a kill.
    expect(smtp.received.length - subjects.size).toBeLessThanOrEqual(KILLS);
  },
  180_000 + KILLS * 30_000,
);
