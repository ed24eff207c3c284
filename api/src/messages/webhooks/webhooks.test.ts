/** Webhooks reach real receivers over HTTP, good ones and bad ones. */
import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import pino from 'pino';
import type { TelegramEvent, Webhook } from '@pool/shared/api/contract';
import { writeNotes } from '../notifications';
import { recordEvent } from '../../identity/people/pool-accounts';
import { Bus } from '../../platform/bus';
import { databaseOfFile, emptyTables, insertUsers } from '../../platform/db/testing/test-database';
import { transaction } from '../../platform/db/transaction';
import type { AccountEvent } from '../../identity';
import { Sender } from '../outbox/sender';
import { Secrets } from '../../platform/secrets';
import { resolveOutbound, type OutboundPolicy } from '../../platform/outbound';
import { eventually } from '../../testing/eventually';
import { startHttp } from '../../testing/http-server';
import { hookDelivery } from './delivery';
import { deliveriesOf, hooksOf, makeHook, removeHook, testHook } from './webhooks';

type Got = { headers: IncomingMessage['headers']; body: string; path: string };
type Answering = (response: ServerResponse, request: Got) => void;

async function receiver(answer: Answering): Promise<{ port: number; got: Got[]; close(): void }> {
  const got: Got[] = [];
  const server = await startHttp((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const one = { headers: request.headers, body, path: request.url ?? '' };
      got.push(one);
      answer(response, one);
    });
  });
  return { ...server, got };
}

const ok: Answering = (response) => response.end('thanks');

describe('webhooks', () => {
  const database = databaseOfFile();
  const userId = 1;
  let now: number;
  let closing: (() => void)[];
  const secrets = new Secrets([randomBytes(32)]);
  const by = () => ({ actorId: userId, madeBy: userId, ip: '10.0.0.1', now });

  beforeEach(async () => {
    await emptyTables(database);
    now = Math.floor(Date.now() / 1000);
    closing = [];
    await insertUsers(database, 'anna');
  });
  afterEach(() => closing.forEach((close) => close()));

  const start = async (answer: Answering) => {
    const one = await receiver(answer);
    closing.push(one.close);
    return one;
  };
  /** Names lead to this machine, as the operator allows here; at the first of their two addresses nobody answers. */
  const POLICY: OutboundPolicy = {
    allowPrivate: false,
    allow: ['hooks.example', 'slow.example'],
    resolver: async () => [{ address: '127.0.0.9' }, { address: '127.0.0.1' }],
  };
  function sender(policy = POLICY, timeoutMs = 10_000): Sender {
    const outbound = { resolve: (host: string, port: number) => resolveOutbound(host, port, policy) };
    const delivery = hookDelivery({ pool: database.pool, secrets, outbound, timeoutMs });
    closing.push(() => delivery.close());
    return new Sender({
      pool: database.pool,
      bus: new Bus(),
      log: pino({ level: 'silent' }),
      now: () => now,
      delivery,
    });
  }
  async function hook(
    port: number,
    { host = 'hooks.example', path = '/in?a=1', events = ['offline'] as TelegramEvent[] } = {},
  ): Promise<Webhook & { secret: string }> {
    const made = await makeHook(database.pool, secrets, by(), { url: `http://${host}:${port}${path}`, events });
    if (!made) throw new Error('not made');
    return made;
  }
  const offline = (worker: string) => ({ userId, kind: 'worker_offline', values: { account: 'anna', worker } });
  const tell = (...workers: string[]): Promise<unknown> => writeNotes(database.pool, workers.map(offline), now);
  const log = async (id: number) => (await deliveriesOf(database.pool, userId, id)) ?? [];

  it('get what they chose, signed with their secret as Standard Webhooks verify it', async () => {
    const { port, got } = await start(ok);
    const { id, secret } = await hook(port);
    await writeNotes(
      database.pool,
      [offline('rig1'), { userId, kind: 'payment_sent', values: { account: 'anna', amount: '0.5' } }],
      now,
    );
    await sender().round();
    expect(got).toHaveLength(1);
    const [{ headers, body, path } = { headers: {}, body: '', path: '' }] = got;
    expect(path).toBe('/in?a=1');
    expect(headers).toMatchObject({ host: `hooks.example:${port}`, 'content-type': 'application/json' });
    expect(JSON.parse(body)).toEqual({
      type: 'worker_offline',
      timestamp: new Date(now * 1000).toISOString(),
      data: { account: 'anna', worker: 'rig1' },
    });
    const sentAt = Number(headers['webhook-timestamp']);
    expect(Math.abs(Date.now() / 1000 - sentAt)).toBeLessThan(60);
    const hmac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
    const signature = hmac.update(`${String(headers['webhook-id'])}.${sentAt}.${body}`).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    expect(await log(id)).toMatchObject([
      { id: headers['webhook-id'], state: 'sent', attempts: 1, request: body, answer: { status: 200, body: 'thanks' } },
    ]);
    const { rows } = await database.pool.query<{ secret: string }>('select secret from webhook');
    expect(rows[0]?.secret).not.toContain(secret.slice(6));
  });

  it('are queued with what they tell: a transaction that is rolled back tells nothing', async () => {
    const { id } = await hook(80);
    const client = await database.pool.connect();
    await client.query('begin');
    await writeNotes(client, [offline('rig1')], now);
    await client.query('rollback');
    client.release();
    expect(await log(id)).toEqual([]);
  });

  it('get what happens to the sign-in, in its transaction; a new browser only if they chose that', async () => {
    const { id } = await hook(80);
    const chosen = await hook(80, { events: ['sign_in'] });
    const values = { ip: '10.0.0.9' };
    const record = (...event: AccountEvent) =>
      transaction(database.pool, (tx) => recordEvent(tx, 'user_1', event, { ip: values.ip, values }));
    await record('two_step', 'on');
    await record('sign_in', 'new');
    await record('sign_in', 'not_me');
    await record('email', 'changed');
    await record('recovery', 'begun');
    const got = async (of: number) =>
      (await log(of)).map(({ request }) => JSON.parse(request) as { type: string; data: unknown }).reverse();
    const types = ['two_step_on', 'sign_in_new', 'sign_in_not_me', 'email_changed', 'recovery_begun'];
    expect(await got(chosen.id)).toMatchObject(types.map((type) => ({ type, data: values })));
    expect((await got(id)).map(({ type }) => type)).toEqual(types.filter((type) => type !== 'sign_in_new'));
  });

  it('are tried again for a day with longer waits, under the same id, and then given up', async () => {
    const { port, got } = await start((response) => response.writeHead(503).end('busy'));
    const { id } = await hook(port);
    await tell('rig1');
    const mail = sender();
    const end = now + 86_400;
    await mail.round();
    expect(await log(id)).toMatchObject([{ state: 'waiting', error: '503', answer: { status: 503, body: 'busy' } }]);
    await mail.round();
    expect(got).toHaveLength(1);
    for (; now < end + 1000; now += 900) await mail.round();
    expect(new Set(got.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(got.length).toBeGreaterThan(90);
    expect(got.length).toBeLessThan(110);
  });

  it('a receiver that says when it takes more is not called before', async () => {
    const { port, got } = await start((response) => response.writeHead(429, { 'retry-after': '600' }).end());
    await hook(port);
    for (const rig of ['rig1', 'rig2', 'rig3']) await tell(rig);
    const mail = sender();
    const end = now + 500;
    for (; now < end; now += 50) await mail.round();
    expect(got).toHaveLength(1);
  });

  it('a receiver that hangs delays no other, and has three messages under way at most', async () => {
    const hanging = await start(() => undefined);
    const well = await start(ok);
    const slow = await hook(hanging.port, { host: 'slow.example' });
    await hook(well.port);
    await tell('rig1', 'rig2', 'rig3', 'rig4', 'rig5');
    const mail = sender(POLICY, 300);
    const once = mail.round();
    await eventually(() => well.got.length === 1, 'the other receiver, while the first one hangs');
    await once;
    for (let i = 0; i < 8; i += 1) await mail.round();
    expect(well.got).toHaveLength(5);
    expect(hanging.got).toHaveLength(3);
    expect((await log(slow.id)).map(({ state, attempts, error }) => [state, attempts, error])).toEqual([
      ['waiting', 0, null],
      ['waiting', 0, null],
      ['waiting', 1, 'timeout'],
      ['waiting', 1, 'timeout'],
      ['waiting', 1, 'timeout'],
    ]);
  });

  it('a message that its receiver cannot take does not hold back the others', async () => {
    const { port, got } = await start((response, { body }) =>
      response.writeHead(body.includes('rig1') ? 500 : 204).end(),
    );
    await hook(port);
    await tell('rig1', 'rig2');
    const mail = sender();
    while (await mail.round());
    expect(got.map(({ body }) => (JSON.parse(body) as { data: { worker: string } }).data.worker)).toEqual([
      'rig1',
      'rig2',
    ]);
  });

  it('redirects are not followed', async () => {
    const inner = await start(ok);
    const { port } = await start((response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${inner.port}/` }).end(),
    );
    const { id } = await hook(port);
    await tell('rig1');
    await sender().round();
    expect(inner.got).toEqual([]);
    expect(await log(id)).toMatchObject([{ state: 'waiting', error: '307' }]);
  });

  it('of an endless answer the first part is read, and its status counts', async () => {
    let closed = false;
    const { port } = await start((response) => {
      response.writeHead(200);
      const more = (): void => void response.write('x'.repeat(65_536), () => !closed && setImmediate(more));
      response.on('close', () => (closed = true));
      more();
    });
    const { id } = await hook(port);
    await tell('rig1');
    await sender().round();
    expect(await log(id)).toMatchObject([{ state: 'sent', answer: { status: 200 } }]);
    expect((await log(id))[0]?.answer?.body).toBe('x'.repeat(2048));
    await eventually(() => closed, 'the connection to be closed');
  });

  it('an answer whose body never ends counts by its status', async () => {
    const { port } = await start((response) => response.writeHead(200).write('so far'));
    const { id } = await hook(port);
    await tell('rig1');
    await sender(POLICY, 300).round();
    expect(await log(id)).toMatchObject([{ state: 'sent', answer: { status: 200, body: 'so far' } }]);
  });

  it.each(['127.0.0.1', '::ffff:127.0.0.1'])(
    'a name that leads inward by now is not connected to: %s',
    async (address) => {
      const { port, got } = await start(ok);
      const { id } = await hook(port);
      await tell('rig1');
      await sender({ allowPrivate: false, resolver: async () => [{ address }] }).round();
      expect(got).toEqual([]);
      expect(await log(id)).toMatchObject([{ state: 'waiting', error: 'not_allowed', answer: null }]);
    },
  );

  it('410 stops it: what waits fails, and its owner is told once', async () => {
    const { port, got } = await start((response) => response.writeHead(410).end());
    const { id } = await hook(port);
    await tell('rig1', 'rig2');
    const mail = sender();
    while (await mail.round());
    expect(got).toHaveLength(1);
    expect(await hooksOf(database.pool, userId)).toMatchObject([{ id, stoppedAt: expect.any(String) }]);
    expect((await log(id)).map(({ state }) => state)).toEqual(['failed', 'failed']);
    await tell('rig3');
    expect(await log(id)).toHaveLength(2);
    const { rows } = await database.pool.query("select kind from notification where kind = 'webhook_stopped'");
    expect(rows).toHaveLength(1);
  });

  it('a test is sent at once, by its owner only; a deleted one gets nothing more', async () => {
    const { port, got } = await start(ok);
    const { id } = await hook(port);
    expect(await testHook(database.pool, { ...by(), actorId: userId + 1 }, id)).toBe(false);
    expect(await deliveriesOf(database.pool, userId + 1, id)).toBeNull();
    expect(await testHook(database.pool, by(), id)).toBe(true);
    await sender().round();
    expect(got.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual(['test']);
    await tell('rig1');
    expect(await removeHook(database.pool, by(), id)).toBe(true);
    expect(await sender().round()).toBe(0);
  });
});
