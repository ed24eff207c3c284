/** Notifications reach a push service over HTTP, encrypted for one browser; its service takes the browser's place here. */
import { createPublicKey, randomBytes } from 'node:crypto';
import { jwtVerify } from 'jose';
import pino from 'pino';
import type { RemoteManifest } from '@pool/shared/contract';
import { writeNotes, type Note } from '../notifications';
import { Bus } from '../../platform/bus';
import { databaseOfFile, emptyTables, insertUsers } from '../../platform/db/testing/test-database';
import { Sender } from '../outbox/sender';
import { Secrets } from '../../platform/secrets';
import { resolveOutbound } from '../../platform/outbound';
import { startHttp } from '../../testing/http-server';
import { pushDelivery } from './delivery';
import { forwardPush } from './forward';
import { subscribe, subscriptionsOf, unsubscribe } from './subscriptions';
import { pushBrowser } from './testing/browser';
import { openVapid } from './vapid';

const remotes = {
  allFor: async () => [{ notifications: { 'worker*': '/workers/?state=offline' } } as unknown as RemoteManifest],
};

describe('web push', () => {
  const database = databaseOfFile();
  const userId = 1;
  let now: number;
  let status: number;
  let got: { body: Buffer; headers: Record<string, unknown> }[];
  let endpoint: string;
  let close: () => void;
  const secrets = new Secrets([randomBytes(32)]);
  const { read, ...keys } = pushBrowser();
  const actor = { actorId: 1, ip: null };

  beforeAll(async () => {
    const server = await startHttp((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        got.push({ body: Buffer.concat(parts), headers: request.headers });
        response.writeHead(status).end();
      });
    });
    endpoint = `http://push.example:${server.port}/send/1`;
    ({ close } = server);
  });
  beforeEach(async () => {
    await emptyTables(database);
    now = Math.floor(Date.now() / 1000) + 60;
    got = [];
    status = 201;
    await insertUsers(database, 'anna');
  });
  afterAll(() => close());

  async function start(allow = ['push.example']): Promise<{ round(): Promise<void>; publicKey: string }> {
    const { pool } = database;
    const vapid = await openVapid(database.pool, secrets);
    const policy = { allowPrivate: false, allow, resolver: async () => [{ address: '127.0.0.1' }] };
    const outbound = { resolve: (host: string, port: number) => resolveOutbound(host, port, policy) };
    const delivery = pushDelivery({ pool, vapid, contact: 'mailto:a@pool.example', outbound, remotes });
    const sender = new Sender({ pool, bus: new Bus(), log: pino({ level: 'silent' }), now: () => now, delivery });
    return {
      publicKey: vapid.publicKey,
      round: async () => {
        await forwardPush(pool, remotes, now);
        while (await sender.round());
      },
    };
  }
  const join = () => subscribe(database.pool, actor, { ...keys, endpoint, language: 'ru', events: ['offline'] });
  const tell = (...notes: Omit<Note, 'userId'>[]): Promise<unknown> =>
    writeNotes(
      database.pool,
      notes.map((note) => ({ userId, ...note })),
      now,
    );
  const offline = { kind: 'worker_offline', values: { account: 'anna', worker: 'rig1' } };
  it('only the browser can read what is pushed: its words, and the page it is about', async () => {
    const { round, publicKey } = await start();
    await join();
    await tell(offline, { kind: 'payment_sent', values: { account: 'anna', amount: '0.5' } });
    await round();
    await round();
    expect(got).toHaveLength(1);
    const { body = Buffer.alloc(0), headers = {} } = got[0] ?? {};
    expect(body.toString('latin1')).not.toContain('rig1');
    expect(read(body)).toEqual({
      text: 'Воркер rig1 аккаунта anna не в сети',
      path: '/workers/?state=offline&account=anna',
      tag: expect.stringMatching(/^note \d+$/) as string,
    });
    const [, jwt = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(String(headers.authorization)) ?? [];
    expect(key).toBe(publicKey);
    const point = Buffer.from(key, 'base64url');
    const x = point.subarray(1, 33).toString('base64url');
    const y = point.subarray(33).toString('base64url');
    const verified = await jwtVerify(jwt, createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' }));
    expect(verified.payload).toMatchObject({ aud: new URL(endpoint).origin, sub: 'mailto:a@pool.example' });
  });

  it('the keys stay when the server starts again, and are not stored as they are', async () => {
    const first = await openVapid(database.pool, secrets);
    expect(await openVapid(database.pool, secrets)).toEqual(first);
    const { rows } = await database.pool.query<{ value: string }>(
      "select value from setting where name = 'push.vapid'",
    );
    expect(rows[0]?.value).not.toContain(first.privateKey);
    await join();
    expect(await openVapid(database.pool, new Secrets([randomBytes(32)]))).not.toEqual(first);
    expect(await subscriptionsOf(database.pool, userId)).toEqual([]);
  });

  it('a subscription that its service has ended is deleted, gets nothing more, and its owner is told once', async () => {
    const { round } = await start();
    await join();
    status = 410;
    await tell(offline);
    await round();
    await tell(offline);
    await round();
    expect(got).toHaveLength(1);
    expect(await subscriptionsOf(database.pool, userId)).toEqual([]);
    const { rows } = await database.pool.query("select user_id from notification where kind = 'push_ended'");
    expect(rows).toEqual([{ user_id: userId }]);
  });

  it('so is one that its service forbids for a quarter of an hour', async () => {
    const { round } = await start();
    await join();
    status = 403;
    await tell(offline);
    for (let tries = 1; tries <= 10; tries += 1) {
      expect(await subscriptionsOf(database.pool, userId)).toHaveLength(1);
      await round();
      now += 600;
    }
    expect([await subscriptionsOf(database.pool, userId), got.length]).toEqual([[], 10]);
    const { rows } = await database.pool.query("select user_id from notification where kind = 'push_ended'");
    expect(rows).toEqual([{ user_id: userId }]);
  });

  it('a service that is busy is asked again; an inward one is not connected to', async () => {
    const { round } = await start();
    await join();
    status = 503;
    await tell(offline);
    await round();
    now += 5;
    status = 201;
    await round();
    expect(got).toHaveLength(2);
    const inward = await start([]);
    await tell(offline);
    await inward.round();
    expect(got).toHaveLength(2);
  });

  it('many alerts are one; nothing from before the subscription; another user cannot end it', async () => {
    const { round } = await start();
    now -= 600;
    await tell(offline);
    now += 600;
    const { id } = await join();
    await tell(...Array.from({ length: 100 }, () => offline));
    await round();
    expect(got.map(({ body }) => read(body))).toEqual([
      expect.objectContaining({
        text: 'Оповещения: 100\nВоркеры не в сети: 100',
        path: '/workers/?state=offline&account=anna',
      }),
    ]);
    expect(await unsubscribe(database.pool, { ...actor, actorId: userId + 1 }, id)).toBe(false);
    expect(await unsubscribe(database.pool, actor, id)).toBe(true);
  });
});
