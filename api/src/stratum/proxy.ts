/** The Stratum proxy: listens for miners of each algorithm and works for the upstream pools. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { AlgorithmName } from '@pool/shared/domain';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Bus } from '../bus';
import type { AccountDirectory, ShareSink } from '../pool/types';
import { Bans } from './bans';
import { CachedDirectory } from './directory';
import { Counter, type Limits, LIMITS } from './limits';
import { StratumMetrics, upstreamGauge } from './metrics';
import { MinerSession, type SessionDeps } from './session';
import type { ProbeTimes } from './upstream-probe';
import type { SwitchRow } from './upstream-state';
import { type UpstreamLists, Upstreams, type UpstreamStatus } from './upstreams';
import { WorkerSlots } from './worker-slots';

export type StratumPort = { algorithm: AlgorithmName; port: number };

export type StratumProxyOptions = {
  host: string;
  /** Port 0 takes any free one. An algorithm may have several. */
  ports: readonly StratumPort[];
  directory: AccountDirectory;
  sink: ShareSink;
  upstreams: UpstreamLists;
  log: Logger;
  bus?: Bus;
  metrics?: Registry;
  onSwitch?(row: SwitchRow): void;
  limits?: Partial<Limits>;
  probeTimes?: ProbeTimes;
};

export type StratumProxy = {
  /** As asked for, with the real ports. */
  ports: StratumPort[];
  /** State of the upstreams; `connections` counts those of the sub-account, or all. */
  upstreams(subAccountId?: number): UpstreamStatus[];
  connections(): number;
  /** Takes no more miners, lets shares under way be answered, then lets go. */
  stop(): Promise<void>;
};

const STOP_PATIENCE_MS = 2000;

const listen = (server: Server, port: number, host: string): Promise<number> => new Promise((resolve, reject) => {
  server.once('error', reject);
  server.listen({ port, host, backlog: 1024 }, () => resolve((server.address() as AddressInfo).port));
});

export async function startStratumProxy(options: StratumProxyOptions): Promise<StratumProxy> {
  const { log, sink, metrics: registry } = options;
  const limits: Limits = { ...LIMITS, ...options.limits };
  const metrics = registry && new StratumMetrics(registry);
  const upstreams = new Upstreams({ lists: options.upstreams, limits, probeTimes: options.probeTimes, log, bus: options.bus, onSwitch: options.onSwitch });
  if (registry) upstreamGauge(registry, upstreams);
  const sessions = new Set<MinerSession>();
  const addresses = new Counter();
  const shared = { limits, directory: new CachedDirectory(options.directory), sink, upstreams, bans: new Bans(limits), slots: new WorkerSlots(limits.workersPerAccount), log, metrics };

  const accept = (algorithm: AlgorithmName, socket: Socket): void => {
    const address = socket.remoteAddress ?? '';
    if (addresses.add(address) > limits.connectionsPerAddress) {
      addresses.remove(address);
      metrics?.refused.inc({ reason: 'address' });
      socket.on('error', () => undefined);
      socket.destroy();
      return;
    }
    metrics?.connections.inc({ algorithm });
    const deps: SessionDeps = { ...shared, algorithm };
    sessions.add(new MinerSession(socket, address, deps, (session) => {
      sessions.delete(session);
      addresses.remove(address);
      metrics?.connections.dec({ algorithm });
    }));
  };

  // One timer for all: an idle miner may be seen a little late.
  const sweep = setInterval(() => {
    const limit = Date.now() - limits.idleMs;
    for (const session of sessions) if (session.idleSince < limit) session.end('idle');
  }, Math.min(15_000, Math.max(50, limits.idleMs / 4)));

  const servers: Server[] = [];
  const ports: StratumPort[] = [];
  const close = async (): Promise<void> => {
    clearInterval(sweep);
    const closed = servers.map((server) => new Promise<void>((resolve) => { server.close(() => resolve()); }));
    const deadline = Date.now() + STOP_PATIENCE_MS;
    while (Date.now() < deadline && [...sessions].some((session) => session.unanswered > 0)) {
      await new Promise((resolve) => { setTimeout(resolve, 20); });
    }
    for (const session of sessions) session.abandon();
    upstreams.stop();
    await Promise.all(closed);
  };
  try {
    for (const { algorithm, port } of options.ports) {
      const server = createServer((socket) => accept(algorithm, socket));
      servers.push(server);
      ports.push({ algorithm, port: await listen(server, port, options.host) });
      server.on('error', (error) => log.error({ err: error, algorithm }, 'stratum port'));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { ports, upstreams: (subAccountId) => upstreams.status(subAccountId), connections: () => sessions.size, stop: close };
}
