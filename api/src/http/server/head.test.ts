/** The head of a request, written by hand into a real connection; what answers say of TLS. */
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createLog } from '../../platform/log';
import { testApp, type TestApp } from '../testing/test-app';
import { Connections } from './connections';

let test: TestApp;
let port: number;
const log: string[] = [];
beforeAll(async () => {
  const lines = new Writable({ write: (chunk: Buffer, _, done) => done(void log.push(String(chunk))) });
  test = await testApp({
    log: createLog('warn', lines),
    env: {
      TRUSTED_PROXIES: '127.0.0.1',
      HSTS_SECONDS: '86400',
      SECURITY_CONTACT: 'mailto:security@pool.test, https://pool.test/report',
    },
  });
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  port = (test.app.server.address() as AddressInfo).port;
});
afterAll(() => test.close());

const ask = (...lines: string[]): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  return text(socket);
};

it.each([
  ['two Host headers, spelled differently', ['GET /health HTTP/1.1', 'host: pool.test', 'HOST: pool.test']],
  ['an absolute address of another host', ['GET http://evil.example/api/prices HTTP/1.1', 'Host: pool.test']],
  ['an address without a slash', ['GET health HTTP/1.1', 'Host: pool.test']],
])('%s: refused', async (_, lines) => {
  expect(await ask(...lines)).toMatch(/^HTTP\/1\.1 400 /);
});

it('browsers are told to come over TLS only where TLS is in front', async () => {
  const plain = await ask('GET /health HTTP/1.1', 'Host: pool.test');
  expect(plain.toLowerCase()).not.toContain('strict-transport-security');
  for (const path of ['/health', '/api/nothing', '/nothing'])
    for (const protocol of ['https', 'https, http'])
      expect(await ask(`GET ${path} HTTP/1.1`, 'Host: pool.test', `X-Forwarded-Proto: ${protocol}`)).toMatch(
        /^strict-transport-security: max-age=86400\r$/im,
      );
});

it('security.txt says whom to tell, from the settings', async () => {
  const answer = await ask('GET /.well-known/security.txt HTTP/1.1', 'Host: pool.test', 'X-Forwarded-Proto: https');
  const [head = '', body] = answer.split('\r\n\r\n');
  expect(head).toMatch(/^content-type: text\/plain; charset=utf-8\r?$/im);
  const expires = /^Expires: (\S+)$/m.exec(body ?? '')?.[1] ?? '';
  expect(body).toBe(
    `Contact: mailto:security@pool.test\nContact: https://pool.test/report\nExpires: ${expires}\n` +
      'Policy: https://pool.test/pages/security\nPreferred-Languages: en\n',
  );
  // RFC 9116: in less than a year.
  expect(Date.parse(expires)).toBeGreaterThan(Date.now() + 300 * 86_400_000);
  expect(Date.parse(expires)).toBeLessThan(Date.now() + 365 * 86_400_000);
});

it('of many requests that are sent before the first is answered, the connection is ended and few are handled', async () => {
  let handled = 0;
  test.app.server.on('request', (_, response) => {
    if (!response.req.socket.destroyed) handled += 1;
  });
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET /health HTTP/1.1\r\nHost: pool.test\r\n\r\n'.repeat(200));
  await once(socket.resume(), 'close');
  expect(handled).toBeLessThan(10);
});

it('behind a trusted proxy requests of one client are not waited for by another', async () => {
  const order: string[] = [];
  const sockets = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const socket = connect(port, '127.0.0.1').setEncoding('utf8');
      socket.write('GET /health HTTP/1.1\r\nHost: pool.test\r\n\r\n');
      await once(socket, 'data');
      return socket;
    }),
  );
  const answered = sockets.map(async (socket, at) => {
    const client = at === 29 ? '192.0.2.2' : '192.0.2.1';
    socket.write(`GET /health HTTP/1.1\r\nHost: pool.test\r\nX-Forwarded-For: ${client}\r\n\r\n`);
    await once(socket, 'data');
    order.push(client);
    socket.destroy();
  });
  await Promise.all(answered);
  expect(order.indexOf('192.0.2.2')).toBeLessThan(10);
});

/** A socket that is not connected to anything. */
class FakeSocket extends EventEmitter {
  paused = false;
  destroyed = false;
  constructor(readonly remoteAddress: string) {
    super();
  }
  pause(): void {
    this.paused = true;
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}
const fakeConnections = (max: number) => {
  const connections = new Connections((address) => address === '192.0.2.9', max);
  const handle = connections.guard(() => undefined);
  return {
    open: (address: string): FakeSocket => {
      const socket = new FakeSocket(address);
      connections.admit(socket as unknown as Socket);
      return socket;
    },
    ask: (socket: FakeSocket): EventEmitter => {
      const response = new EventEmitter();
      handle({ socket } as unknown as IncomingMessage, response as ServerResponse);
      return response;
    },
  };
};

it('a network that did so gets no connection for a minute; others and a trusted proxy do', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick'] });
  const { open, ask: send } = fakeConnections(100);
  for (const address of ['192.0.2.1', '192.0.2.9']) {
    const flooder = open(address);
    for (let sent = 0; sent < 100 && !flooder.destroyed; sent += 1) send(flooder);
    expect(flooder.destroyed).toBe(true);
  }
  const [again, other, trusted] = [open('192.0.2.1'), open('192.0.2.2'), open('192.0.2.9')];
  await new Promise(process.nextTick);
  expect([again.paused, other.paused, trusted.paused]).toEqual([true, false, false]);
  jest.advanceTimersByTime(59_000);
  const stillRefused = open('192.0.2.1');
  jest.advanceTimersByTime(1000);
  const after = open('192.0.2.1');
  await new Promise(process.nextTick);
  expect([again.destroyed, other.destroyed, stillRefused.paused, after.paused]).toEqual([true, false, true, false]);
  jest.useRealTimers();
});

it('2,500 idle connections of one address keep nobody out, and no request is cut off for a newcomer', () => {
  const { open, ask: send } = fakeConnections(400);
  const asking = open('192.0.2.1');
  send(asking);
  const idle = Array.from({ length: 2500 }, () => open('192.0.2.1'));
  // Half of all at most, also where others need none of them.
  expect(idle.filter(({ destroyed }) => !destroyed)).toHaveLength(199);
  for (let n = 0; n < 300; n += 1) expect(open(`203.0.113.${n % 250}`).destroyed).toBe(false);
  expect(asking.destroyed).toBe(false);
});

it('the header Forwarded is ignored, which the log says once', async () => {
  const lines = (): string[] => log.filter((line) => line.includes('the header Forwarded'));
  for (let n = 0; n < 2; n += 1)
    await ask('GET /health HTTP/1.1', 'Host: pool.test', 'Forwarded: for=198.51.100.8;proto=https');
  expect(lines()).toHaveLength(1);
});
