/**
 * Nearly valid Stratum lines from miners and pools: nothing breaks, memory does not grow, others are served. HEAVY=1
 * sends a million lines from each side.
 */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { WORKER_NAME } from '@pool/shared/domain';
import { stream } from '../../demo/random';
import { eventually } from '../../testing/eventually';
import { MemoryLists, RawClient, testProxy, type TestProxy } from '../testing/test-proxy';
import { noise } from '../testing/noise';
import { StubUpstream } from '../testing/upstream';

const HEAVY = process.env.HEAVY === '1';
const LINES = Number(process.env.LINES ?? (HEAVY ? 1_000_000 : 10_000));
const SEED = Number(process.env.SEED ?? 7);
const GROWTH = 10 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;
const heap = (): number => {
  gc();
  return process.memoryUsage().heapUsed;
};
const mb = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);
const p99 = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;
const report = (text: string): void => {
  if (HEAVY) process.stderr.write(`${text}\n`);
};

let test: TestProxy;
let upstream: StubUpstream;

/** Bob mines all the while; `stop` returns the milliseconds each of his shares took. */
async function honest(port: number): Promise<{ stop(): Promise<number[]> }> {
  const c = new RawClient(port);
  await c.call('mining.subscribe', []);
  await c.call('mining.authorize', ['bob.honest', 'x']);
  const { params } = await c.notification('mining.notify');
  const times: number[] = [];
  let going = true;
  const mining = (async () => {
    for (let nonce = 1; going; nonce += 1) {
      const since = performance.now();
      const answer = await c.call('mining.submit', [
        'bob.honest',
        params?.[0],
        '00000001',
        '65000000',
        nonce.toString(16).padStart(8, '0'),
      ]);
      if (answer.result !== true) throw new Error(`an honest share was refused: ${JSON.stringify(answer.error)}`);
      times.push(performance.now() - since);
      // The answers would count as memory growth.
      c.lines.length = 0;
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
  })();
  mining.catch(() => undefined);
  return {
    stop: async () => {
      going = false;
      await mining;
      expect(c.closed).toBe(false);
      c.destroy();
      return times;
    },
  };
}

afterEach(async () => {
  await test.proxy.stop();
  await upstream.kill();
});

it(`${LINES} lines of miners`, async () => {
  upstream = await new StubUpstream().start();
  test = await testProxy([upstream.target], {
    limits: {
      linesPerSecond: 1e9,
      addressLinesPerSecond: 1e9,
      malformedLines: 1e9,
      banMs: 1,
      upstreamLinesPerSecond: 1e9,
    },
  });
  // Shares are not kept, so that only the proxy's memory is measured.
  const names = new Set<string>();
  test.sink.share = () => true;
  test.sink.presence = ({ worker }) => {
    if (names.size < 100_000) names.add(worker);
  };
  const bob = await honest(test.port);
  const line = noise('miner', stream(SEED), { wild: 0.35, odd: 0.4 });
  const random = stream(SEED + 1);
  let understood = 0;

  /** One connection; every fourth line asks whether it is still read. */
  const session = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect({ port: test.port, host: '127.0.0.1' });
      socket.on('error', () => undefined).on('close', () => resolve());
      createInterface({ input: socket })
        .on('error', () => undefined)
        .on('line', (text) => {
          if (text.includes('pong')) understood += 4;
        });
      const lines: string[] = [];
      if (random() < 0.7)
        lines.push(
          '{"id":1,"method":"mining.subscribe","params":[]}',
          '{"id":2,"method":"mining.authorize","params":["alice.rig","x"]}',
        );
      for (let i = 0; i < count; i += 1)
        lines.push(line(), ...(i % 4 === 3 ? ['{"id":0,"method":"mining.ping","params":[]}'] : []));
      const text = Buffer.from(`${lines.join('\n')}\n`, 'latin1');
      // Written in two pieces, cut anywhere.
      const cut = Math.floor(random() * text.length);
      socket.write(text.subarray(0, cut));
      socket.write(text.subarray(cut));
      socket.end();
    });
  const run = async (lines: number): Promise<void> => {
    let left = lines;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while (left > 0) {
          const count = Math.min(left, 40);
          left -= count;
          await session(count);
        }
      }),
    );
  };
  await run(LINES / 10);
  const before = heap();
  const since = Date.now();
  await run(LINES - LINES / 10);
  await eventually(() => test.proxy.connections() === 1, 'only the honest one left');
  const growth = heap() - before;
  const times = await bob.stop();
  report(
    `miners: ${LINES} lines in ${((Date.now() - since) / 1000).toFixed(0)} s, at least ${understood} of them read, ` +
      `heap ${mb(before)} MB + ${mb(growth)} MB, ` +
      `${times.length} honest shares meanwhile, p99 ${p99(times).toFixed(1)} ms`,
  );
  expect(growth).toBeLessThan(GROWTH);
  expect(understood).toBeGreaterThan(LINES / 4);
  expect([...names].filter((name) => !WORKER_NAME.test(name))).toEqual([]);
  expect(times.length).toBeGreaterThan(5);
}, 1_200_000);

describe('a pool of a user', () => {
  let pool: Server;
  afterEach(() => {
    pool.close();
  });

  it(`${LINES} lines of it`, async () => {
    upstream = await new StubUpstream().start();
    const line = noise('pool', stream(SEED + 2), { wild: 0.04, odd: 0.12 });
    let sent = 0;
    let understood = 0;
    const sockets = new Set<Socket>();
    pool = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
      const write = (text: string): void => {
        socket.write(`${text}\n`);
      };
      createInterface({ input: socket })
        .on('error', () => undefined)
        .on('line', (text) => {
          const { id, method, result } = JSON.parse(text) as { id: number; method?: string; result?: unknown };
          if (result === 'pool-proxy/1.0') {
            understood += 1;
            return;
          }
          if (method === 'mining.subscribe') write(`{"id":${id},"result":[[],"abcd",8],"error":null}`);
          else if (method === 'mining.configure')
            write(`{"id":${id},"result":{"version-rolling":true,"version-rolling.mask":"1fffe000"},"error":null}`);
          else if (method === 'mining.authorize') {
            write(`{"id":${id},"result":true,"error":null}`);
            const job = ['j0', '11'.repeat(32), 'aa', 'bb', [], '20000000', '1702f128', '65000000', true];
            const lines: string[] = [JSON.stringify({ id: null, method: 'mining.notify', params: job })];
            for (let i = 0; i < 16 && sent < LINES; i += 1, sent += 1)
              lines.push(line(), '{"id":1,"method":"client.get_version","params":[]}');
            write(lines.join('\n'));
            if (sent < LINES) socket.end();
          } else if (method === 'mining.submit') write(`{"id":${id},"result":true,"error":null}`);
        });
    });
    await new Promise<void>((resolve) => {
      pool.listen(0, '127.0.0.1', resolve);
    });
    const { port } = pool.address() as AddressInfo;
    const lists = new MemoryLists();
    lists.set(1, {
      id: 1,
      algorithm: 'SHA256_ASICBOOST',
      name: 'fuzz',
      url: `stratum+tcp://127.0.0.1:${port}`,
      host: '127.0.0.1',
      port,
      tls: false,
      user: 'u',
      password: 'p',
    });
    test = await testProxy([upstream.target], {
      ownPools: lists.ownPools,
      probeTimes: { everyMs: 1, downMaxMs: 1 },
      limits: {
        backoffMs: 1,
        backoffMaxMs: 1,
        upstreamLinesPerSecond: 1e9,
        buffered: 1 << 26,
        banPart: 2,
      },
    });
    test.sink.share = () => true;
    test.sink.presence = () => undefined;
    const bob = await honest(test.port);
    // Alice's miners take every job and send shares of it. Some of those are bad because the jobs are; bans are off.
    const alices = await Promise.all(
      Array.from({ length: 4 }, async (_, i) => {
        const c = new RawClient(test.port);
        await c.call('mining.configure', [['version-rolling'], { 'version-rolling.mask': '1fffe000' }]);
        await c.call('mining.extranonce.subscribe', []);
        await c.call('mining.subscribe', []);
        await c.call('mining.authorize', [`alice.rig-${i}`, 'x']);
        return c;
      }),
    );
    const look = setInterval(() => {
      for (const [i, c] of alices.entries()) {
        const job = c.lines.filter((l) => l.method === 'mining.notify').at(-1)?.params?.[0];
        c.lines.length = 0;
        c.send(
          `${JSON.stringify({
            id: 9,
            method: 'mining.submit',
            params: [
              `alice.rig-${i}`,
              job,
              '00000001',
              '65000000',
              Math.floor(Math.random() * 2 ** 32)
                .toString(16)
                .padStart(8, '0'),
            ],
          })}\n`,
        );
      }
    }, 25);
    const sentOf = (lines: number) =>
      eventually(() => sent >= lines || alices.some((c) => c.closed), `${lines} lines`, 1_100_000);
    await sentOf(LINES / 10);
    const before = heap();
    const since = Date.now();
    await sentOf(LINES);
    clearInterval(look);
    const times = await bob.stop();
    expect(alices.map((c) => c.closed)).toEqual([false, false, false, false]);
    for (const c of alices) c.destroy();
    await eventually(() => test.proxy.connections() === 0, 'all gone');
    const growth = heap() - before;
    report(
      `pool: ${LINES} lines in ${((Date.now() - since) / 1000).toFixed(0)} s, at least ${understood} of them read, ` +
        `heap ${mb(before)} MB + ${mb(growth)} MB, ` +
        `${times.length} honest shares meanwhile, p99 ${p99(times).toFixed(1)} ms`,
    );
    expect(growth).toBeLessThan(GROWTH);
    expect(understood).toBeGreaterThan(LINES / 10);
    expect(test.proxy.upstreams(2)[0]?.state).toBe('active');
    for (const socket of sockets) socket.destroy();
  }, 1_200_000);
});
