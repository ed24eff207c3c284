/**
 * A machine that stops is told on three channels, once: through a real SMTP server, to a push service and to a webhook.
 * The clock is moved: ten minutes without a share are the rule, and it is told within two minutes of them.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Bus } from '../platform/bus';
import type { Database } from '../platform/db/database';
import { testDatabase } from '../platform/db/testing/test-database';
import { transaction } from '../platform/db/transaction';
import { createLog } from '../platform/log';
import { mailDelivery } from '../messages/mail/delivery';
import { startMailServer } from '../messages/mail/testing/smtp';
import { Sender, type Delivery } from '../messages/outbox/sender';
import { pushDelivery } from '../messages/push/delivery';
import { subscribe } from '../messages/push/subscriptions';
import { pushBrowser } from '../messages/push/testing/browser';
import { openVapid } from '../messages/push/vapid';
import { Secrets } from '../platform/secrets';
import { countBatch } from '../mining/shares/count-batch';
import { resolveOutbound } from '../platform/outbound';
import { hookDelivery } from '../messages/webhooks/delivery';
import { makeHook } from '../messages/webhooks/webhooks';
import { runAlerts } from './engine';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('tells by mail, push and webhook within two minutes, each once', async () => {
  const { pool } = database;
  let now = Math.floor(Date.now() / 86_400_000) * 86_400 + 30;
  const smtp = await startMailServer();
  const calls: string[] = [];
  const http = createServer((request, response) => {
    calls.push(request.url ?? '');
    request.resume().on('end', () => response.writeHead(201).end());
  });
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  const { port } = http.address() as AddressInfo;

  await pool.query(
    `insert into identity_user (id, user_name, email, email_verified_at, password_hash)
     values ('u1', 'anna', 'anna@example.com', now(), 'x')`,
  );
  const { rows } = await pool.query<{ id: number }>(
    "insert into app_user (identity_id, user_name) values ('u1', 'anna') returning id",
  );
  const userId = rows[0]?.id ?? 0;
  const { rows: accounts } = await pool.query<{ id: number }>(
    "insert into sub_account (user_id, name) values ($1, 'anna') returning id",
    [userId],
  );
  const secrets = new Secrets([randomBytes(32)]);
  const actor = { actorId: userId, ip: null };
  const events = ['offline' as const];
  await pool.query("insert into alert_setting (user_id, mail_events) values ($1, '{offline}')", [userId]);
  await makeHook(pool, secrets, { userId, ip: '', now }, { url: `http://pool.example:${port}/hook`, events });
  const { read: _, ...keys } = pushBrowser();
  const endpoint = `http://pool.example:${port}/push`;
  await subscribe(pool, userId, { ...keys, endpoint, language: 'en', events }, actor);
  // The subscription is as old as this test's clock says.
  await pool.query('update push_subscription set created_at = to_timestamp($1::float8)', [now]);

  const bus = new Bus();
  const outbound = {
    resolve: (host: string, at: number) =>
      resolveOutbound(host, at, {
        allowPrivate: false,
        allow: ['pool.example'],
        resolver: async () => [{ address: '127.0.0.1' }],
      }),
  };
  const deliveries = [
    mailDelivery(pool, { url: smtp.url, from: 'Pool <mail@pool.example>' }),
    hookDelivery({ pool, bus, secrets, outbound }),
    pushDelivery({
      pool,
      bus,
      vapid: await openVapid(database.pool, secrets),
      contact: 'mailto:a@pool.example',
      outbound,
      remotes: { allFor: async () => [] },
    }),
  ];
  const senders = deliveries.map((delivery: Delivery) => ({
    delivery,
    sender: new Sender({ pool, bus, log: createLog('silent'), delivery, now: () => now }),
  }));
  let sequence = 0;
  /** A minute, with shares of these workers, a look at the end and what the senders do then. */
  const minute = async (...workers: string[]): Promise<void> => {
    const batch = { proxyId: 'test', sequence: (sequence += 1) };
    const buckets = workers.map((worker) => ({
      subAccountId: accounts[0]?.id ?? 0,
      algorithm: 'SHA256_ASICBOOST' as const,
      worker,
      at: now - (now % 60),
      span: 60,
      accepted: 100,
      stale: 0,
      rejected: 0,
      shares: 10,
      lastShareAt: now,
    }));
    await transaction(pool, (client) => countBatch(client, batch, buckets));
    now += 60;
    await runAlerts(pool, now);
    for (const { delivery, sender } of senders) {
      await delivery.collect?.(now);
      while (await sender.round());
    }
  };
  const told = (): string[] => [...smtp.received.map(({ subject }) => subject), ...calls].sort();
  for (let n = 0; n < 15; n += 1) await minute('rig1', 'rig2');
  const stopped = now;
  while (told().length < 3 && now < stopped + 1800) await minute('rig2');
  expect(now - stopped).toBeLessThanOrEqual(720);
  for (let n = 0; n < 30; n += 1) await minute('rig2');
  expect(told()).toEqual(['/hook', '/push', 'Worker rig1 of anna is offline']);
  for (const delivery of deliveries) delivery.close();
  for (const { sender } of senders) await sender.stop();
  await smtp.close();
  http.close();
});
