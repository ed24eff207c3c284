/**
 * Nearly valid Stratum lines from miners and pools: nothing breaks, memory does not grow, others are served. HEAVY=1
 * sends a million lines from each side.
 */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { WORKER_NAME } from '@pool/shared/domain';
import { stream } from '../../demo/random';
import { eventually } from '../../testing/eventually';
import { RawClient, testProxy, type TestProxy } from '../testing/test-proxy';
import { noise } from '../testing/noise';
import { StubUpstream } from '../testing/upstream';

const HEAVY = process.env.HEAVY === '1';
const LINES = Number(process.env.LINES ?? (HEAVY ? 1_000_000 : 600));
const SEED = Number(process.env.SEED ?? 7);
const GROWTH = 10 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;
const heap = (): number => {
  gc();
  return process.memoryUsage().heapUsed;
};
let test: TestProxy;
let upstream: StubUpstream;

/** Bob mines all the while; `stop` returns the number of his shares, of which none was refused. */
async function honest(port: number): Promise<{ stop(): Promise<number> }> {
  const c = new RawClient(port);
  await c.call('mining.subscribe', []);
  await c.authorise('bob.honest');
  const [job] = await c.job();
  let shares = 0;
  let going = true;
  const mining = (async () => {
    while (going) {
      const answer = await c.submit({ job });
      if (answer !== true) throw new Error(`an honest share was refused: ${String(answer)}`);
      shares += 1;
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
      return shares;
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
  await run(LINES - LINES / 10);
  await eventually(() => test.proxy.connections() === 1, 'only the honest one left');
  const growth = heap() - before;
  const times = await bob.stop();
  expect(growth).toBeLessThan(GROWTH);
  expect(understood).toBeGreaterThan(LINES / 4);
  expect([...names].filter((name) => !WORKER_NAME.test(name))).toEqual([]);
  expect(times).toBeGreaterThan(1);
}, 1_200_000);

it(`${LINES} lines of a pool of a user`, async () => {
  upstream = await new StubUpstream().start();
  const noisy = await new StubUpstream().start();
  test = await testProxy([upstream.target], {
    probeTimes: { everyMs: 1, downMaxMs: 1 },
    // Some shares are bad because the jobs are: bans are off.
    limits: { backoffMs: 1, backoffMaxMs: 1, upstreamLinesPerSecond: 1e9, buffered: 1 << 26, banPart: 2 },
  });
  test.lists.set(1, noisy.own(1));
  test.sink.share = () => true;
  test.sink.presence = () => undefined;
  const bob = await honest(test.port);
  const alices = await Promise.all(
    Array.from({ length: 4 }, async (_, i) => {
      const c = new RawClient(test.port);
      await c.call('mining.configure', [['version-rolling'], { 'version-rolling.mask': '1fffe000' }]);
      await c.call('mining.extranonce.subscribe', []);
      await c.call('mining.subscribe', []);
      await c.authorise(`alice.rig-${i}`);
      return c;
    }),
  );
  const line = noise('pool', stream(SEED + 2), { wild: 0.04, odd: 0.12 });
  let [sent, understood] = [0, 0];
  const send = async (lines: number): Promise<void> => {
    while (sent < lines) {
      await eventually(() => noisy.sockets.size > 0, 'a connection');
      for (let i = 0; i < 16; i += 1, sent += 1) noisy.send(line());
      noisy.send('{"id":1,"method":"client.get_version","params":[]}');
      const answers = () => noisy.lines.filter((text) => text.includes('"result":"pool-proxy/1.0"')).length;
      const { connects } = noisy;
      await eventually(() => answers() > 0 || noisy.connects > connects, 'an answer, or another connection');
      understood += answers();
      for (const c of alices) {
        c.send(`${JSON.stringify({ id: 9, method: 'mining.submit', params: c.share() })}\n`);
        c.lines.length = 0;
      }
      // What is kept of them would count as memory growth.
      for (const kept of [noisy.lines, noisy.submits, noisy.suggested]) kept.length = 0;
      noisy.jobs.clear();
    }
  };
  await send(LINES / 10);
  const before = heap();
  await send(LINES);
  const times = await bob.stop();
  expect(alices.map((c) => c.closed)).toEqual([false, false, false, false]);
  for (const c of alices) c.destroy();
  await eventually(() => test.proxy.connections() === 0, 'all gone');
  expect(heap() - before).toBeLessThan(GROWTH);
  expect(understood).toBeGreaterThan(LINES / 16 / 10);
  expect(times).toBeGreaterThan(1);
  expect(test.proxy.upstreams(2)[0]?.state).toBe('active');
  await noisy.kill();
}, 1_200_000);
