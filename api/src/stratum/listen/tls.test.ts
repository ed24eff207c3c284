/** TLS to miners, and to pools of users. */
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { Registry } from 'prom-client';
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import { MemoryLists, type RawClient, type TestProxy } from '../testing/test-proxy';
import { selfSigned } from '../testing/certificate';
import type { StubUpstream } from '../testing/upstream';

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
  folder = mkdtempSync(join(tmpdir(), 'tls-'));
  upstream = await stub();
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
});
const metrics = new Registry();
const tlsProxy = async ({ everyMs, handshakeMs }: { everyMs?: number; handshakeMs?: number } = {}): Promise<number> => {
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

it('row 53: a miner mines over TLS, and only shares of its own work are accepted', async () => {
  const pair = selfSigned(HOST);
  write(pair);
  const c = await client(await tlsProxy(), pair.cert);
  await c.call('mining.subscribe', []);
  expect(await c.authorise('alice.rig')).toBe(true);
  const [job] = await c.job();
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
