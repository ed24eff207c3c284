/** Miners that one proxy holds: `npx tsx scripts/bench/proxy.ts [miners] [shares a second]`. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createLog } from '../../api/src/platform/log';
import type { ShareSink } from '../../api/src/stratum/ports';
import { parseUpstream, startStratumProxy, type StratumProxyOptions } from '../../api/src/stratum';
import { MemoryLists } from '../../api/src/stratum/testing/test-proxy';
import { EASY, StubUpstream } from '../../api/src/stratum/testing/upstream';
import { MinerConnection } from '../../api/src/demo/miner-connection';
import { quantile } from './figures';

type Load = { miners: number; rate: number };
type Report = { p50: number; p99: number; acks: number; disconnects: number; back: number } & Record<
  'connections' | 'lines',
  number
>;
const SECONDS = 20;
const JOB_MS = 5000;

/** An address has ports for 28,232 connections to one other. */
const MINERS_OF_AN_ADDRESS = 20_000;

/** Every hash is a share to a miner; of some 400 one is a share to the upstream. */
const HARD = 1e-7;

/** An upstream that sends each socket a job, more when it is told to, and accepts every share. */
export async function upstream(): Promise<{
  port: number;
  drop(): void;
  notify(): void;
  seen(): { connections: number; lines: number };
}> {
  const pool = await new StubUpstream({ difficulty: HARD }).start();
  const seen = () => ({ connections: pool.sockets.size, lines: pool.lines.length });
  return { port: pool.target.port, drop: () => pool.drop(), notify: () => pool.notify(false), seen };
}

/** A proxy whose miners are all of one account, in front of the upstream at this port. */
export const startBenchProxy = (port: number, sink: ShareSink, limits?: StratumProxyOptions['limits']) =>
  startStratumProxy({
    host: '127.0.0.1',
    ports: [{ algorithm: 'SHA256_ASICBOOST', port: 0 }],
    sink,
    log: createLog('silent'),
    directory: {
      find: async () => ({ subAccountId: 1, name: 'bench', userId: 1, minerPassword: null }),
      ownWorkers: async () => new Set(),
      byId: async () => null,
      closed: async () => [],
      onChange: () => () => undefined,
    },
    upstreams: { SHA256_ASICBOOST: [parseUpstream('SHA256_ASICBOOST', `stratum+tcp://bench:x@127.0.0.1:${port}`)] },
    ownPools: new MemoryLists().ownPools,
    limits,
    vardiff: { max: EASY },
  });

export class BenchMiner {
  job: string | null = null;
  jobs = 0;
  private readonly socket: Socket;
  private readonly connection: MinerConnection;
  private nonce = 0;
  constructor(
    port: number,
    private readonly user: string,
    private readonly acks: { push(ms: number): unknown },
    closed: () => void,
    localAddress = '127.0.0.1',
  ) {
    this.socket = connect({ port, host: '127.0.0.1', localAddress });
    const message = (method: string, [job]: unknown[]): void => {
      if (method !== 'mining.notify') return;
      this.job = String(job);
      this.jobs += 1;
    };
    this.connection = new MinerConnection(this.socket, { message, closed });
    void this.connection.greet({ software: 'bench', user });
  }
  close(): void {
    this.socket.destroy();
  }
  submit(): void {
    if (this.job === null) return;
    this.nonce += 1;
    const at = performance.now();
    const nonce = this.nonce.toString(16).padStart(8, '0');
    void this.connection.call('mining.submit', [this.user, this.job, '00000001', '65000000', nonce]).then((answer) => {
      if (answer?.result === true) this.acks.push(performance.now() - at);
    });
  }
}

async function load({ miners: count, rate }: Load): Promise<void> {
  const pool = await upstream();
  process.send?.({ upstream: pool.port });
  const [{ proxy: port }] = (await once(process, 'message')) as [{ proxy: number }];
  const acks: number[] = [];
  let disconnects = 0;
  const miners: BenchMiner[] = [];
  for (let i = 0; i < count; i += 1) {
    const from = `127.0.0.${1 + Math.floor(i / MINERS_OF_AN_ADDRESS)}`;
    miners.push(new BenchMiner(port, `bench.w${i}`, acks, () => (disconnects += 1), from));
    // No faster than the proxy handles them, or the limit of the handshake would be measured.
    while (i % 50 === 49 && miners.filter((miner) => miner.job === null).length > 100) await wait(5);
  }
  while (miners.some((miner) => miner.job === null)) await wait(100);
  process.send?.('connected');
  let next = 0;
  const every = 20;
  const timer = setInterval(() => {
    for (let i = 0; i < (rate * every) / 1000; i += 1) miners[next++ % count]?.submit();
  }, every);
  const jobs = setInterval(() => pool.notify(), JOB_MS);
  await wait(SECONDS * 1000);
  for (const each of [timer, jobs]) clearInterval(each);
  await wait(500);
  process.send?.('measured');
  const seen = pool.seen();
  for (const miner of miners) miner.jobs = 0;
  pool.drop();
  for (let i = 0; i < 300 && miners.some((miner) => miner.jobs === 0); i += 1) await wait(100);
  process.send?.({
    p50: quantile(acks, 0.5),
    p99: quantile(acks, 0.99),
    acks: acks.length,
    disconnects,
    back: miners.filter((miner) => miner.jobs > 0).length,
    ...seen,
  } satisfies Report);
}

async function benchProxy({ miners, rate }: Load = { miners: 9000, rate: 900 }): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), ['load', String(miners), String(rate)], {
    execArgv: process.execArgv,
  });
  const next = async <T>(): Promise<T> => (await once(child, 'message'))[0] as T;
  const { upstream: port } = await next<{ upstream: number }>();
  let shares = 0;
  const sink: ShareSink = {
    share: () => {
      shares += 1;
      return true;
    },
    presence: () => undefined,
  };
  const proxy = await startBenchProxy(port, sink, {
    connections: miners + 100,
    connectionsPerAddress: miners + 100,
    workersPerAccount: miners + 100,
  });
  const before = process.memoryUsage().rss;
  child.send({ proxy: proxy.ports[0]?.port });
  await next<'connected'>();
  const perMiner = (process.memoryUsage().rss - before) / miners / 1024;
  const cpu = process.cpuUsage();
  await next<'measured'>();
  const used = process.cpuUsage(cpu);
  const report = await next<Report>();
  await proxy.stop();
  child.kill();
  process.stdout.write(
    [
      `\nStratum proxy, ${miners} miners, ` +
        `${Math.round(report.acks / SECONDS)} shares/s acknowledged (${shares} counted)`,
      `  memory ${perMiner.toFixed(1)} KB a miner; ` +
        `${((used.user + used.system) / 1e4 / SECONDS).toFixed(1)} % of a core; ` +
        `acknowledged in ${report.p50.toFixed(1)} ms (p50), ${report.p99.toFixed(1)} ms (p99)`,
      `  upstream: ${report.connections} connections, ${report.lines} lines\n` +
        `  upstream gone: ${report.disconnects} miners disconnected, ${report.back} had fresh work within 30 s\n`,
    ].join('\n'),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv[2] === 'load') void load({ miners: Number(process.argv[3]), rate: Number(process.argv[4]) });
  else void benchProxy({ miners: Number(process.argv[2] ?? 9000), rate: Number(process.argv[3] ?? 900) });
}
