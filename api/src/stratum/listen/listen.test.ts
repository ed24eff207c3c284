import { createServer, type Server, connect as connectTcp, connect } from 'node:net';
import type { OwnPort, PortList } from '../ports';
import { eventually } from '../../testing/eventually';
import { freePort } from '../../testing/free-port';
import { stratumForEach } from '../testing/for-each';
import { RawClient, type TestProxy, MemoryLists, testProxy } from '../testing/test-proxy';
import { StubUpstream } from '../testing/upstream';
import { X509Certificate } from 'node:crypto';
import { writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { Registry } from 'prom-client';
import { selfSigned } from '../testing/certificate';
import { spawn, type ChildProcess } from 'node:child_process';
import { addressList, readProxyHeader } from './proxy-protocol';
import { newFolder } from '../../testing/folder';

describe('ports of sub-accounts', () => {
  const { stub, proxyOf, connect } = stratumForEach();
  class MemoryPorts implements PortList {
    list: OwnPort[] = [];
    private readonly listeners = new Set<() => void>();
    async all(): Promise<OwnPort[]> {
      return this.list;
    }
    onChange(listener: () => void): () => void {
      this.listeners.add(listener);
      return () => this.listeners.delete(listener);
    }
    set(...list: OwnPort[]): void {
      this.list = list;
      for (const listener of this.listeners) listener();
    }
  }

  const ALGORITHM = 'SHA256_ASICBOOST' as const;
  let upstream: StubUpstream;
  let test: TestProxy;
  let ports: MemoryPorts;
  const servers: Server[] = [];

  const taken = (port: number): Promise<Server> =>
    new Promise((resolve) => {
      const server = createServer().listen(port, '127.0.0.1', () => resolve(server));
      servers.push(server);
    });
  const own = (port: number, subAccountId = 1): OwnPort => ({ subAccountId, algorithm: ALGORITHM, port });
  const isOpen = (port: number): boolean => test.proxy.ownPorts().some((opened) => opened.port === port);
  const client = async (port: number): Promise<RawClient> => {
    const c = connect(port);
    await c.call('mining.subscribe', []);
    return c;
  };
  const authorise = async (port: number, name: string): Promise<RawClient> => {
    const c = await client(port);
    expect(await c.authorise(name)).toBe(true);
    return c;
  };

  beforeEach(async () => {
    upstream = await stub();
    ports = new MemoryPorts();
  });
  afterEach(() => servers.splice(0).forEach((server) => server.close()));

  it('a worker name is enough, the account may be included, another account is refused with 24', async () => {
    const port = await freePort();
    ports.list = [own(port)];
    test = await proxyOf([upstream.target], { ownPorts: ports });
    await eventually(() => isOpen(port), 'open');
    await authorise(port, 'rig-7');
    await authorise(port, 'alice.rig-8');
    await authorise(port, 'Alice');
    expect(test.sink.presences.map(({ subAccountId, worker }) => `${subAccountId} ${worker}`)).toEqual(
      expect.arrayContaining(['1 rig-7', '1 rig-8', '1 default']),
    );
    const stranger = await client(port);
    for (const name of ['bob.rig', 'bob', 'carol.rig', '<img>']) expect(await stranger.authorise(name)).toBe(24);
    const c = await authorise(port, 'rig-7');
    await c.job();
    expect(await c.submit()).toBe(true);
    expect(test.sink.shares).toMatchObject([{ subAccountId: 1, worker: 'rig-7', outcome: 'accepted' }]);
    // On the pool's own port the worker alone is not a name.
    expect(await (await client(test.port)).authorise('rig-7')).toBe(24);
  });

  it('ports open and close as the list changes; their miners leave after pending shares, others stay', async () => {
    const [first, second] = [await freePort(), await freePort()];
    upstream.options.submit = () => undefined;
    test = await proxyOf([upstream.target], { ownPorts: ports });
    expect(test.proxy.ownPorts()).toEqual([]);
    ports.set(own(first), own(second, 2));
    await eventually(() => isOpen(first) && isOpen(second), 'both open');
    const [idle, busy, other, pool] = [
      await authorise(first, 'idle'),
      await authorise(first, 'busy'),
      await authorise(second, 'rig'),
      await authorise(test.port, 'alice.rig'),
    ];
    await busy.job();
    const verdict = busy.submit();
    await eventually(() => upstream.submits.length === 1, 'the share at the upstream');
    ports.set(own(second, 2));
    await idle.ended();
    expect(busy.closed).toBe(false);
    expect(isOpen(first)).toBe(false);
    const { id } = JSON.parse(upstream.lines.find((line) => line.includes('mining.submit')) ?? '{}') as { id: number };
    upstream.send({ id, result: true, error: null });
    expect(await verdict).toBe(true);
    await busy.ended();
    expect(test.sink.count('accepted')).toBe(1);
    const late = connect(first);
    await late.ended();
    expect([other.closed, pool.closed]).toEqual([false, false]);
    // The port now belongs to another account.
    ports.set(own(first, 2), own(second, 2));
    await eventually(() => isOpen(first), 'open again');
    expect(await (await client(first)).authorise('alice.rig')).toBe(24);
    await authorise(first, 'rig-9');
  });

  it('a taken port does not delay others, and opens when it is free', async () => {
    const [busy, free] = [await freePort(), await freePort()];
    const holder = await taken(busy);
    ports.list = [own(busy), own(free)];
    test = await proxyOf([upstream.target], { ownPorts: ports, limits: { portRetryMs: 30 } });
    await eventually(() => isOpen(free), 'the other one');
    expect(isOpen(busy)).toBe(false);
    await authorise(test.port, 'alice.rig');
    await new Promise((resolve) => {
      holder.close(resolve);
    });
    await eventually(() => isOpen(busy), 'the one that was taken');
    await authorise(busy, 'rig-1');
  });

  it('a list that cannot be read does not stop the proxy, and is retried', async () => {
    const port = await freePort();
    let down = true;
    const flaky: PortList = {
      all: async () => {
        if (down) throw new Error('down');
        return [own(port)];
      },
      onChange: () => () => undefined,
    };
    test = await proxyOf([upstream.target], { ownPorts: flaky, limits: { portRetryMs: 20 } });
    await authorise(test.port, 'alice.rig');
    down = false;
    await eventually(() => isOpen(port), 'open');
  });
});

describe('TLS', () => {
  const { stub, proxyOf, connect, join: come, mine } = stratumForEach();
  const HOST = 'stratum.pool.test';
  let folder: string;
  let test: TestProxy;
  let upstream: StubUpstream;
  const files = (): { cert: string; key: string } => ({ cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') });
  const write = ({ cert, key }: { cert: string; key: string }): void => {
    writeFileSync(files().cert, cert);
    writeFileSync(files().key, key);
  };
  const opened = async (socket: TLSSocket): Promise<TLSSocket> => {
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve).once('error', reject);
    });
    return socket;
  };

  beforeEach(async () => {
    folder = newFolder();
    upstream = await stub();
  });
  const metrics = new Registry();
  const tlsProxy = async ({
    everyMs,
    handshakeMs,
  }: { everyMs?: number; handshakeMs?: number } = {}): Promise<number> => {
    metrics.clear();
    test = await proxyOf([upstream.target], {
      metrics,
      tls: { ports: [{ algorithm: 'SHA256_ASICBOOST', port: 0 }], files: { ...files(), everyMs } },
      limits: { ...(handshakeMs === undefined ? {} : { handshakeMs }) },
    });
    return test.proxy.tlsPorts[0]?.port ?? 0;
  };
  const client = async (port: number, ca: string): Promise<RawClient> => {
    const c = connect(await opened(connectTls({ host: '127.0.0.1', port, servername: HOST, ca })));
    return c;
  };

  it('a miner mines over TLS, and only shares of its own work are accepted', async () => {
    const pair = selfSigned(HOST);
    write(pair);
    const port = await tlsProxy();
    const c = await client(port, pair.cert);
    await c.call('mining.subscribe', []);
    expect(await c.authorise('alice.rig')).toBe(true);
    const [job] = await c.job();
    expect(test.sink.presences.at(-1)).toMatchObject({ worker: 'rig', port, tls: true });
    // What an eavesdropper would have to send for its own extranonce, in whole or in part.
    for (const extranonce2 of ['ab00000100000001', '0000000001', '']) expect(await c.submit({ extranonce2 })).toBe(20);
    expect(await c.submit()).toBe(true);
    expect(upstream.submits.map((params) => params[2])).toEqual([expect.stringMatching(/^[0-9a-f]{6}0000000001$/)]);
    // Another connection cannot send the same share.
    const other = await mine(test.port, 'bob.rig');
    expect(await other.submit({ user: 'alice.rig', job })).toBe(24);
    expect(test.sink.count('accepted')).toBe(1);
  });

  it('rejects a client that trusts another certificate or speaks no TLS; a silent one is disconnected', async () => {
    write(selfSigned(HOST));
    const port = await tlsProxy({ handshakeMs: 200 });
    await expect(client(port, selfSigned(HOST).cert)).rejects.toThrow(/self.signed|unable to verify|signature/i);
    const plain = connect(port);
    plain.send('{"id":1,"method":"mining.subscribe","params":[]}\n');
    await plain.ended();
    const mute = connectTcp(port, '127.0.0.1');
    await new Promise((resolve) => {
      mute.once('close', resolve).on('error', () => undefined);
    });
    await eventually(() => test.proxy.connections() === 0, 'nobody inside');
  });

  it('uses a renewed certificate without a restart, miners stay; ignores a broken one', async () => {
    const [first, second] = [selfSigned(HOST), selfSigned(HOST)];
    write(first);
    const port = await tlsProxy({ everyMs: 20 });
    const c = await client(port, first.cert);
    await c.call('mining.subscribe', []);
    write(second);
    await eventually(
      async () =>
        client(port, second.cert).then(
          () => true,
          () => false,
        ),
      'the new certificate',
    );
    const expires = Date.parse(new X509Certificate(second.cert).validTo) / 1000;
    expect(await metrics.metrics()).toContain(`stratum_certificate_expiry_timestamp_seconds ${expires}\n`);
    writeFileSync(files().key, 'half a file');
    process.emit('SIGHUP');
    await client(port, second.cert);
    expect((await c.call('mining.ping', [])).result).toBe('pong');
  });

  it('refuses to start with unusable files and names the fault', async () => {
    writeFileSync(files().cert, selfSigned(HOST).cert);
    writeFileSync(files().key, selfSigned(HOST).key);
    await expect(tlsProxy()).rejects.toThrow(/key values mismatch/);
    test = await proxyOf([]);
  });

  describe("a user's pool at stratum+ssl://", () => {
    const lists = new MemoryLists();
    const own = async (cert: { cert: string; key: string }, host: string, ca: string) => {
      const secure = await stub({ tls: cert });
      lists.set(1, secure.own(1, { host }));
      test = await proxyOf([], {
        ownPools: { lists, outbound: { resolve: async () => [{ address: '127.0.0.1', family: 4 }], ca } },
      });
      return { secure, c: await come(test.port) };
    };

    it.each([
      ['a name', 'ssl.pool.test'],
      ['an address', '127.0.0.1'],
    ])('is used when the certificate is valid for %s', async (_, host) => {
      const cert = selfSigned(host);
      const { c } = await own(cert, host, cert.cert);
      await c.job();
      expect(await c.submit()).toBe(true);
    });

    it.each([
      ['of another name', selfSigned('evil.test'), null],
      ['that nobody trusts', selfSigned('ssl.pool.test'), selfSigned('ssl.pool.test').cert],
    ])('is not used with a certificate %s: nothing is sent to it', async (_, cert, ca) => {
      const { secure } = await own(cert, 'ssl.pool.test', ca ?? cert.cert);
      await eventually(() => test.proxy.poolStatus(1).get(1)?.state === 'down', 'down');
      expect(test.proxy.poolStatus(1).get(1)?.lastError).toMatch(
        /ERR_TLS_CERT_ALTNAME_INVALID|DEPTH_ZERO_SELF_SIGNED_CERT|CERT_SIGNATURE_FAILURE/,
      );
      expect(secure.lines).toEqual([]);
    });
  });
});

/** Miners behind a balancer: the real HAProxy, and headers as its specification writes them. */
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
    expect(['127.0.0.1', '::ffff:127.0.0.1', '10.9.8.7', '2001:db8::5'].every(isBalancer)).toBe(true);
    expect(['127.0.0.2', '11.0.0.1', '2001:db9::1', undefined].some(isBalancer)).toBe(false);
  });
});

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

describe('behind HAProxy', () => {
  const folder = newFolder();
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
