/**
 * Malicious pools of users: which addresses the proxy connects to, which messages it accepts, what it keeps in memory.
 */
import { createServer, type AddressInfo, type Server } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { resolveOutbound } from '../../platform/outbound';
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import { MemoryLists, type RawClient, type TestProxy } from '../testing/test-proxy';
import { EASY, type StubUpstream } from '../testing/upstream';

const { stub, proxyOf, join } = stratumForEach();
let test: TestProxy;
const lists = new MemoryLists();
const canaries: Server[] = [];

/** Counts connections. */
async function canary(): Promise<{ port: number; seen(): number }> {
  let seen = 0;
  const server = createServer((socket) => {
    seen += 1;
    socket.destroy();
  });
  canaries.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, resolve);
  });
  return { port: (server.address() as AddressInfo).port, seen: () => seen };
}
const mine = (): Promise<RawClient> => join(test.port);

afterEach(async () => {
  for (const server of canaries.splice(0)) server.close();
});

describe('row 49: addresses inside', () => {
  const INSIDE = ['127.0.0.1', '2130706433', 'localhost', '::ffff:10.0.0.1', 'inside.test', 'both.test'];
  const resolver = async (host: string) =>
    host === 'both.test' ? [{ address: '93.184.216.34' }, { address: '127.0.0.1' }] : [{ address: '127.0.0.1' }];

  it(`are never connected to, in ${INSIDE.length} spellings: a listening canary sees no connection`, async () => {
    const { port, seen } = await canary();
    lists.set(
      1,
      ...INSIDE.map((host, i) => ({
        id: i + 1,
        algorithm: 'SHA256_ASICBOOST' as const,
        name: host,
        url: `stratum+tcp://${host}:${port}`,
        host,
        port,
        tls: i % 2 === 1,
        user: 'u',
        password: 'p',
      })),
    );
    test = await proxyOf([], {
      ownPools: {
        lists,
        outbound: { resolve: (host, at) => resolveOutbound(host, at, { allowPrivate: false, resolver }) },
      },
    });
    const c = await mine();
    await eventually(
      () => [...test.proxy.poolStatus(1).values()].filter(({ state }) => state === 'down').length === INSIDE.length,
      'all refused',
    );
    expect(new Set([...test.proxy.poolStatus(1).values()].map(({ lastError }) => lastError))).toEqual(
      new Set(['the address cannot be connected to']),
    );
    const answers = await Promise.all(
      (await lists.find(1, 'SHA256_ASICBOOST')).map((target) => test.proxy.testPool(target)),
    );
    expect(new Set(answers)).toEqual(new Set(['refused']));
    expect(seen()).toBe(0);
    expect(c.closed).toBe(false);
  });

  it('a name that changes its address is resolved for each connection, which uses the checked address', async () => {
    const outside = await stub();
    const { port, seen } = await canary();
    // The name first resolves to an allowed pool, then to the canary's address inside.
    let inside = false;
    const asked: string[] = [];
    lists.set(1, outside.own(1, { host: 'rebinding.test' }));
    test = await proxyOf([], {
      ownPools: {
        lists,
        outbound: {
          resolve: (host, at) => {
            asked.push(host);
            return resolveOutbound(host, at, {
              allowPrivate: false,
              allow: inside ? [] : ['rebinding.test'],
              resolver: async () => [{ address: '127.0.0.1' }],
            });
          },
        },
      },
    });
    const c = await mine();
    await c.job();
    const before = asked.length;
    inside = true;
    lists.set(1, outside.own(1, { host: 'rebinding.test', port }));
    await eventually(() => test.proxy.poolStatus(1).get(1)?.state === 'down', 'refused');
    expect(asked.length).toBeGreaterThan(before);
    expect(seen()).toBe(0);
  });
});

it("row 51: client.reconnect of a user's pool leads to nobody else's host and to no port that is not allowed", async () => {
  const upstream = await stub();
  const { port, seen } = await canary();
  lists.set(1, upstream.own(1));
  const resolver = lists.ownPools.outbound.resolve;
  const resolve = async (host: string, at: number) => {
    if (at === port) throw new Error('not allowed');
    return resolver(host);
  };
  test = await proxyOf([], {
    ownPools: { lists, outbound: { resolve } },
  });
  const c = await mine();
  await c.job();
  for (const params of [
    ['127.0.0.2', port, 0],
    ['localhost', port],
    ['169.254.169.254', 80],
    [`127.0.0.1:${port}`, port],
    ['::1', port],
    [{}, port],
  ])
    upstream.send({ id: null, method: 'client.reconnect', params });
  const connects = upstream.connects;
  await c.job(() => upstream.notify(true));
  expect(upstream.connects).toBe(connects);
  upstream.send({ id: null, method: 'client.reconnect', params: ['127.0.0.1', port, 0] });
  await eventually(() => upstream.connects > connects && c.jobs.length > 2, 'where it was configured to be again');
  expect(seen()).toBe(0);
  expect(c.closed).toBe(false);
});

describe('row 52: what it sends', () => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const heap = (): number => {
    gc();
    return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  };

  /** More of what makes no sense than is dropped. */
  const flood = (upstream: StubUpstream, line: string): void => {
    for (let i = 0; i < 50; i += 1) upstream.send(line);
  };

  it.each<[string, (upstream: StubUpstream) => void]>([
    [
      'a line of 10 MB',
      (upstream) => {
        const piece = 'x'.repeat(1024 * 1024);
        for (const socket of upstream.sockets) {
          socket.write('{"id":null,"method":"mining.notify","params":["');
          for (let i = 0; i < 10; i += 1) socket.write(piece);
        }
      },
    ],
    [
      'difficulties without end',
      (upstream) => flood(upstream, '{"id":null,"method":"mining.set_difficulty","params":[1e999]}'),
    ],
    ['a job with a coinbase of 40 KB', (upstream) => upstream.notify(true, { 2: 'aa'.repeat(40_000) })],
  ])('%s: disconnected, switched to the next, heap flat', async (_, sends) => {
    const [bad, good] = [await stub(), await stub({ difficulty: 99 })];
    lists.set(1, bad.own(1), good.own(2));
    const words: string[] = [];
    test = await proxyOf([], {
      ownPools: lists.ownPools,
      onSwitch: ({ why }) => words.push(why),
    });
    const c = await mine();
    await c.job();
    await eventually(
      () => test.proxy.poolStatus(1).get(2)?.state === 'standby' && good.sockets.size === 0,
      'the next was probed',
    );
    const before = heap();
    sends(bad);
    await eventually(() => c.difficulties.at(-1) === 99, 'switched to the next');
    await bad.kill();
    expect(heap() - before).toBeLessThan(8 * 1024 * 1024);
    expect(words).toEqual(['misbehaves']);
    expect(c.difficulties).toEqual([EASY, 99]);
    expect(c.closed).toBe(false);
  });
});
