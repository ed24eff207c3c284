import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testApp, type Person, type TestApp } from '../../testing/test-app';
import { PoolChanges } from '../../../stratum/pool-changes';
import { eventually } from '../../../testing/eventually';

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
    test.bus.publish({ type: 'workers', data: { account: 'stranger', algorithm: 'SCRYPT' } });
    test.bus.publish({ type: 'notification', data: { id: 1 }, userId: stranger.userId });
    test.bus.publish({ type: 'payment', data: { account: 'owner' } });
    test.bus.publish({ type: 'upstream', data: { algorithm: 'SCRYPT' } });
    test.bus.publish({ type: 'hashrate', data: { account: 'owner', algorithm: 'SCRYPT' }, userId: owner.userId });
    await stream.until('event: hashrate\ndata: {"account":"owner","algorithm":"SCRYPT"}\n\n');
    expect(stream.text()).not.toContain('stranger');
    expect(stream.text().match(/event: \w+/g)).toEqual(['event: payment', 'event: upstream', 'event: hashrate']);
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
