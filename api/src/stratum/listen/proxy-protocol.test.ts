/** Miners behind a balancer: the real HAProxy, and headers as its specification writes them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { eventually } from '../../testing/eventually';
import { freePort } from '../../testing/free-port';
import { selfSigned } from '../testing/certificate';
import { RawClient, testProxy, type TestProxy } from '../testing/test-proxy';
import { StubUpstream } from '../testing/upstream';
import { addressList, readProxyHeader } from './proxy-protocol';

const HAPROXY = '/usr/sbin/haproxy';

describe('the header', () => {
  const v2 = (command: number, family: number, body: number[]) =>
    Buffer.concat([
      Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1'),
      Buffer.from([0x20 | command, family, 0, body.length, ...body]),
    ]);
  const ports = [0x12, 0x34, 0x0d, 0x0b];
  // haproxy/haproxy#2963
  const v4AsV6 = [...new Array<number>(10).fill(0), 0xff, 0xff, 203, 0, 113, 5];
  const v6 = [0x20, 0x01, 0x0d, 0xb8, ...new Array<number>(11).fill(0), 1];

  it.each<[string, Buffer, string | null]>([
    ['a line for IPv4', Buffer.from('PROXY TCP4 192.0.2.7 198.51.100.1 56324 3311\r\n'), '192.0.2.7'],
    ['a line for IPv6', Buffer.from('PROXY TCP6 2001:db8::1 2001:db8::2 56324 3311\r\n'), '2001:db8::1'],
    ['a line for an unknown client', Buffer.from('PROXY UNKNOWN ffff:f ffff:f 65535 65535\r\n'), null],
    ['binary for IPv4', v2(1, 0x11, [192, 0, 2, 7, 198, 51, 100, 1, ...ports]), '192.0.2.7'],
    ['binary for IPv6', v2(1, 0x21, [...v6, ...v6, ...ports]), '2001:db8::1'],
    ['binary for IPv4 as IPv6', v2(1, 0x21, [...v4AsV6, ...v6, ...ports]), '203.0.113.5'],
    ['binary with more facts', v2(1, 0x11, [192, 0, 2, 7, 198, 51, 100, 1, ...ports, 4, 0, 1, 0]), '192.0.2.7'],
    ['the balancer’s own check', v2(0, 0, []), null],
  ])('%s, however it is cut', (_, header, address) => {
    const data = Buffer.concat([header, Buffer.from('{"id":1}\n')]);
    for (let bytes = 0; bytes < header.length; bytes += 1) expect(readProxyHeader(data.subarray(0, bytes))).toBeNull();
    expect(readProxyHeader(data)).toEqual({ address, bytes: header.length });
  });

  it.each([
    ['a miner without one', Buffer.from('{"id":1,"method":"mining.subscribe"}\n')],
    ['a line without an end', Buffer.from(`PROXY TCP4 ${' '.repeat(100)}`)],
    ['a line with a wrong address', Buffer.from('PROXY TCP4 192.0.2.700 198.51.100.1 1 2\r\n')],
    ['an unknown command', v2(3, 0x11, [])],
    ['addresses that are cut', v2(1, 0x11, [192, 0, 2, 7])],
  ])('%s is refused', (_, data) => {
    expect(() => readProxyHeader(data)).toThrow();
  });

  it('balancers are named by address and network, also as IPv6 writes IPv4', () => {
    const isBalancer = addressList(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32']);
    expect(['127.0.0.1', '::ffff:127.0.0.1', '10.9.8.7', '2001:db8::5'].map(isBalancer)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['127.0.0.2', '11.0.0.1', '2001:db9::1', undefined].map(isBalancer)).toEqual([false, false, false, false]);
  });
});

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

describe('behind HAProxy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'haproxy-'));
  const pair = selfSigned('stratum.pool.test');
  let upstream: StubUpstream;
  let test: TestProxy;
  let balancer: ChildProcess;
  const fronts: Record<'plain' | 'tls', number> = { plain: 0, tls: 0 };
  const clients: RawClient[] = [];

  beforeAll(async () => {
    if (!existsSync(HAPROXY)) throw new Error(`${HAPROXY} is missing: npm test installs it on Debian as root`);
    writeFileSync(join(folder, 'cert.pem'), pair.cert);
    writeFileSync(join(folder, 'key.pem'), pair.key);
    upstream = await new StubUpstream().start();
    test = await testProxy([upstream.target], {
      balancers: ['127.0.0.1'],
      tls: {
        ports: [{ algorithm: 'SHA256_ASICBOOST', port: 0 }],
        files: { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') },
      },
      limits: { connectionsPerAddress: 1, handshakeMs: 1000 },
    });
    fronts.plain = await freePort();
    fronts.tls = await freePort();
    const listen = (name: string, front: number, back: number | undefined, how: string) => `
      listen ${name}
        mode tcp
        bind 127.0.0.1:${front}
        server pool 127.0.0.1:${back} ${how}`;
    writeFileSync(
      join(folder, 'haproxy.cfg'),
      `defaults
        timeout connect 5s
        timeout client 60s
        timeout server 60s
      ${listen('plain', fronts.plain, test.port, 'send-proxy check inter 100ms')}
      ${listen('tls', fronts.tls, test.proxy.tlsPorts[0]?.port, 'send-proxy-v2')}\n`,
    );
    balancer = spawn(HAPROXY, ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: ['ignore', 'ignore', 'inherit'] });
    await eventually(() => isOpen(fronts.tls), 'HAProxy');
  });
  afterAll(async () => {
    for (const client of clients) client.destroy();
    balancer.kill('SIGKILL');
    await test.proxy.stop();
    await upstream.kill();
    rmSync(folder, { recursive: true });
  });

  const subscribed = async (client: RawClient): Promise<unknown> => {
    clients.push(client);
    return (await client.call('mining.subscribe', ['bmminer/2.0'])).result;
  };
  /** A miner of this machine's `localAddress`. */
  const miner = (front: 'plain' | 'tls', localAddress: string): RawClient => {
    const tcp = connect({ host: '127.0.0.1', port: fronts[front], localAddress });
    return new RawClient(
      front === 'plain' ? tcp : connectTls({ socket: tcp, servername: 'stratum.pool.test', ca: pair.cert }),
    );
  };

  it.each(['plain', 'tls'] as const)('each miner has its own address and limits, %s', async (front) => {
    const [first, second] = [`127.0.${front === 'plain' ? 1 : 2}.1`, `127.0.${front === 'plain' ? 1 : 2}.2`];
    for (const address of [first, second]) expect(await subscribed(miner(front, address))).toHaveLength(3);
    const third = miner(front, first);
    clients.push(third);
    await third.ended();
  });

  it('a miner that comes past the balancer needs no header; a balancer without one is not let in', async () => {
    const direct = connect({ host: '127.0.0.1', port: test.port, localAddress: '127.0.3.1' });
    expect(await subscribed(new RawClient(direct))).toHaveLength(3);
    const [without, silent] = [new RawClient(test.port), new RawClient(test.port)];
    clients.push(without, silent);
    without.send('{"id":1,"method":"mining.subscribe","params":[]}\n');
    await without.ended();
    await silent.ended();
  });
});
