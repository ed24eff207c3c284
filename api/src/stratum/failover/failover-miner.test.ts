/**
 * Failover with two pools that check every proof of work and an independent miner. The primary is killed, flaps,
 * refuses authorisation and hangs. `HEAVY=1` runs it with production timing and more miners.
 */
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { Miner } from '../../../../e2e/miner/miner';
import { startBuiltinPool, type BuiltinPool } from '../builtin-pool';
import { LIMITS, type Limits } from '../wire/limits';
import { eventually } from '../../testing/eventually';
import { MemoryLists, testProxy, type TestProxy } from '../testing/test-proxy';
import { StubUpstream } from '../testing/upstream';
import type { SwitchRow } from './upstreams';

const HEAVY = process.env.HEAVY === '1';
/** Longer than a busy machine stands still, shorter than in production; with HEAVY only the stable time is. */
const TIMES: Partial<Limits> = HEAVY
  ? { ...LIMITS, stableMs: 60_000 }
  : { upstreamWorkMs: 4000, submitMs: 4000, stableMs: 1000, backoffMs: 50 };
const MINERS = HEAVY ? 6 : 3;
const OVER_MS = 10_000;
const FLAP_MS = HEAVY ? 2000 : 150;

/** A TCP proxy in front of a pool that can break in ways a pool would not. */
class Mischief {
  port = 0;
  mode: 'through' | 'hangs' | 'flaps' = 'through';
  private server: Server | null = null;
  private readonly pairs = new Set<[Socket, Socket]>();
  constructor(private readonly to: number) {}

  async start(): Promise<this> {
    const server = createServer((inner) => {
      const outer = connect(this.to, '127.0.0.1');
      const pair: [Socket, Socket] = [inner, outer];
      this.pairs.add(pair);
      const end = (): void => {
        this.pairs.delete(pair);
        inner.destroy();
        outer.destroy();
      };
      for (const [from, into] of [
        [inner, outer],
        [outer, inner],
      ] as const) {
        from
          .on('error', () => undefined)
          .on('close', end)
          .on('data', (chunk) => {
            if (this.mode !== 'hangs') into.write(chunk);
          });
      }
      if (this.mode === 'flaps') this.flap(pair);
    });
    this.server = server;
    await new Promise<void>((resolve) => {
      server.listen(this.port, '127.0.0.1', resolve);
    });
    this.port = (server.address() as AddressInfo).port;
    return this;
  }

  flapping(): void {
    this.mode = 'flaps';
    for (const pair of this.pairs) this.flap(pair);
  }

  async kill(): Promise<void> {
    const { server } = this;
    this.server = null;
    const closed = new Promise<void>((resolve) => {
      if (server) server.close(() => resolve());
      else resolve();
    });
    this.drop();
    await closed;
  }

  drop(): void {
    for (const [inner, outer] of this.pairs) {
      inner.destroy();
      outer.destroy();
    }
  }
  private flap([inner]: [Socket, Socket]): void {
    setTimeout(() => inner.destroy(), FLAP_MS);
  }
}

let pools: [BuiltinPool, BuiltinPool];
let mischief: Mischief;
let lists: MemoryLists;
let test: TestProxy;
let miners: Miner[];
let rows: SwitchRow[];
const target = (id: number, port: number) => ({
  id,
  algorithm: 'SHA256_ASICBOOST' as const,
  name: `${id}`,
  url: `stratum+tcp://127.0.0.1:${port}`,
  host: '127.0.0.1',
  port,
  tls: false,
  user: 'pool',
  password: 'x',
});

beforeAll(async () => {
  pools = [
    await startBuiltinPool({ algorithm: 'SHA256_ASICBOOST' }),
    await startBuiltinPool({ algorithm: 'SHA256_ASICBOOST' }),
  ];
  mischief = await new Mischief(pools[0].port).start();
  lists = new MemoryLists();
  lists.set(1, target(1, mischief.port), target(2, pools[1].port));
  rows = [];
  test = await testProxy([], {
    ports: [{ algorithm: 'SHA256_ASICBOOST', port: 0 }],
    ownPools: lists.ownPools,
    onSwitch: (row) => rows.push(row),
    // The hour's limit allows every switch of this test.
    limits: { ...TIMES, switchesAnHour: 1000 },
    ...(HEAVY ? {} : { probeTimes: { everyMs: 100, downMaxMs: 100 } }),
  });
  miners = Array.from({ length: MINERS }, (_, i) =>
    new Miner({
      host: '127.0.0.1',
      port: test.port,
      user: `alice.rig-${i}`,
      algorithm: 'sha256',
      hashrate: 8000,
      rate: 8,
    }).start(),
  );
});
afterAll(async () => {
  for (const miner of miners) miner.stop();
  await test.proxy.stop();
  await mischief.kill();
  await Promise.all(pools.map((pool) => pool.stop()));
});

const used = (): number | undefined =>
  test.proxy.upstreams(1).find((upstream) => upstream.state === 'active')?.priority;
const allAt = (priority: number): boolean => test.proxy.upstreams(1)[priority - 1]?.connections === MINERS;
/** Resolves when every miner has another share accepted. */
async function everyMinerWorks(): Promise<void> {
  const before = miners.map((miner) => miner.accepted);
  await eventually(
    () => miners.every((miner, i) => miner.accepted > (before[i] ?? 0)),
    'shares of every miner',
    30_000,
  );
}

const faults: [string, () => unknown, () => unknown][] = [
  ['killed', () => mischief.kill(), () => mischief.start()],
  [
    'hanging',
    () => {
      mischief.mode = 'hangs';
    },
    () => {
      mischief.mode = 'through';
      mischief.drop();
    },
  ],
  [
    `flapping, closing every connection after ${FLAP_MS} ms`,
    () => mischief.flapping(),
    () => {
      mischief.mode = 'through';
    },
  ],
];

it.each(faults)(
  'the primary %s: miners switch within ten seconds without a disconnect, and return when it is stable',
  async (name, breaks, mends) => {
    await eventually(() => used() === 1 && allAt(1), 'all at the primary', 120_000);
    await everyMinerWorks();
    const [switches, since] = [rows.length, Date.now()];
    await breaks();
    await eventually(() => used() === 2 && allAt(2), 'all at the backup');
    const over = Date.now() - since;
    await everyMinerWorks();
    expect(over).toBeLessThan(OVER_MS);
    expect(rows.slice(switches)).toHaveLength(1);
    await mends();
    const mended = Date.now();
    await eventually(() => used() === 1 && allAt(1), 'all at the primary again', 240_000);
    // The last probe before the repair may have succeeded and been held since then.
    expect(Date.now() - mended).toBeGreaterThanOrEqual((TIMES.stableMs ?? 0) - FLAP_MS - 100);
    expect(
      rows
        .slice(switches)
        .map(({ fromUrl, toUrl }) => `${fromUrl === rows[switches]?.fromUrl} ${toUrl === rows[switches]?.toUrl}`),
    ).toEqual(['true true', 'false false']);
    await everyMinerWorks();
    if (HEAVY)
      process.stderr.write(`${name}: over in ${over} ms, back ${Date.now() - mended} ms after it was mended\n`);
  },
);

it('a primary that refuses authorisation is never used and shown as auth_failed', async () => {
  const refusing = await new StubUpstream({ authorise: false }).start();
  try {
    const since = Date.now();
    lists.set(1, refusing.own(3), target(2, pools[1].port));
    await eventually(() => used() === 2 && allAt(2), 'all at the backup');
    expect(Date.now() - since).toBeLessThan(OVER_MS);
    expect(test.proxy.poolStatus(1).get(3)?.state).toBe('auth_failed');
    await everyMinerWorks();
  } finally {
    lists.set(1, target(2, pools[1].port));
    await refusing.kill();
  }
});

it('in all of this no miner was disconnected, and every accepted share was counted exactly once', async () => {
  await everyMinerWorks();
  // Every share is answered before its miner leaves.
  await Promise.all(miners.map((miner) => miner.finish()));
  await test.proxy.stop();
  const sum = (of: 'accepted' | 'rejected' | 'disconnects' | 'unanswered'): number =>
    miners.reduce((total, miner) => total + miner[of], 0);
  expect([sum('disconnects'), sum('unanswered')]).toEqual([0, 0]);
  // Late shares are stale; none was wrong.
  expect(test.sink.count('rejected')).toBe(0);
  for (const miner of miners) {
    const own = test.sink.shares.filter(
      (share) => share.outcome === 'accepted' && share.worker === `rig-${miners.indexOf(miner)}`,
    );
    expect(own).toHaveLength(miner.accepted);
    expect(own.reduce((total, share) => total + share.difficulty, 0)).toBeCloseTo(miner.work, 9);
  }
  if (HEAVY) process.stderr.write(`${sum('accepted')} accepted of ${MINERS} miners, ${sum('rejected')} late\n`);
});
