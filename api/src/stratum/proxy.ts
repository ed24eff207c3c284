/** The Stratum proxy: listens for miners of each algorithm and forwards their work to upstream pools. */
import type { Arrivals } from '@pool/shared/api/contract';
import type { AlgorithmName } from '@pool/shared/domain';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Bus } from '../platform/bus';
import { gauge } from '../platform/metrics';
import { connectionsAllowed } from '../platform/open-files';
import type {
  AccountDirectory,
  OwnPort,
  PoolStatus,
  PoolTarget,
  PoolTest,
  PortList,
  ShareSink,
  StratumPort,
} from './ports';
import { Bans } from './miner/access/bans';
import { type Asker, Refusals } from './miner/access/refusals';
import { watchClosedAccounts } from './miner/closed-accounts';
import { Certificate, type CertificateFiles } from './listen/certificate';
import { CachedDirectory } from './miner/directory';
import { Listeners } from './listen/listeners';
import { type Limits, LIMITS, type Rate } from './wire/limits';
import { stratumMetrics, upstreamMetrics } from './miner/metrics';
import { Layouts } from './miner/layouts';
import type { VardiffSettings } from './miner/vardiff';
import { Sessions } from './miner/sessions';
import {
  type OwnPools,
  poolTester,
  type SwitchRow,
  type UpstreamLists,
  Upstreams,
  type UpstreamStatus,
} from './failover/upstreams';
import { WorkerSlots } from './miner/access/worker-slots';
import { type Withheld, Withholding } from './miner/withholding';

export type StratumProxyOptions = {
  host: string;
  /** Port 0: any free one. An algorithm may have several. */
  ports: readonly StratumPort[];
  tls?: { ports: readonly StratumPort[]; files: CertificateFiles };
  /** Addresses and networks of balancers in front of the ports, which speak the PROXY protocol. */
  balancers?: readonly string[];
  directory: AccountDirectory;
  sink: ShareSink;
  /** Clock of shares and connections, Unix milliseconds. */
  now?(): number;
  upstreams: UpstreamLists;
  ownPools: OwnPools;
  ownPorts?: PortList;
  log: Logger;
  bus?: Bus;
  metrics?: Registry;
  onSwitch?(row: SwitchRow): void;
  onWithheld?(withheld: Withheld): void;
  limits?: Partial<Limits>;
  vardiff?: Partial<VardiffSettings>;
};

export type StratumProxy = {
  /** Ports as in the options, with the real numbers. */
  ports: StratumPort[];
  tlsPorts: StratumPort[];
  /** Ports of sub-accounts that are open now. */
  ownPorts(): OwnPort[];
  /** State of the upstreams in use; `connections` counts those of the sub-account, or all. */
  upstreams(subAccountId?: number): UpstreamStatus[];
  /** The same as `upstreams`, also for an account without connected miners. Rejects when its list cannot be read. */
  status(subAccountId: number): Promise<UpstreamStatus[]>;
  connections(): number;
  /** States of pools with connected miners, by `sub_account_pool_config.id`; all others are `standby`. */
  poolStatus(subAccountId: number): Map<number, PoolStatus>;
  testPool(target: PoolTarget): Promise<PoolTest>;
  /** Ends the connections of a worker and frees its place. */
  dismiss(account: { subAccountId: number; algorithm: AlgorithmName }, worker: string): void;
  /** Miners of an account that have not had a share yet, and refused ones that its user may know of. */
  arrivals(asker: Asker): Arrivals;
  /** Stops listening and sends all miners to other processes, in waves. Resolves when they have gone. */
  drain(): Promise<void>;
  /** Stops listening, waits shortly for pending shares, then disconnects all miners. */
  stop(): Promise<void>;
};

/** What is shown of the proxy, or of all of them where there are several. */
export type PoolView = Pick<StratumProxy, 'upstreams' | 'connections' | 'status' | 'dismiss' | 'testPool'> & {
  ports: readonly StratumPort[];
  tlsPorts: readonly StratumPort[];
  poolStatus(
    subAccountId: number,
  ): ReturnType<StratumProxy['poolStatus']> | Promise<ReturnType<StratumProxy['poolStatus']>>;
  arrivals(asker: Asker): Arrivals | Promise<Arrivals>;
};

/** How long `stop` waits for pending shares. */
const STOP_GRACE_MS = 2000;
/** How long miners wait at a start for what the default upstreams leave: who subscribes sooner may have to do it again. */
const FIRST_LOOK_MS = 1000;
const MAX_ADDRESSES = 10_000;

export async function startStratumProxy(options: StratumProxyOptions): Promise<StratumProxy> {
  const { log, tls, ownPools, ownPorts, now = Date.now } = options;
  const limits: Limits = { ...LIMITS, connections: connectionsAllowed().miners, ...options.limits };
  const certificate = tls && (await Certificate.open(tls.files, log));
  const upstreams = new Upstreams({ ...options, lists: options.upstreams, own: ownPools, limits });
  const metrics = options.metrics && metricsOf(options.metrics, upstreams, limits, certificate);
  const deps = { ...sharedBySessions(options, limits), limits, now, upstreams, metrics };
  const { directory, slots, refusals } = deps;
  const sessions = new Sessions(deps);
  const { closedMs: everyMs } = limits;
  const stopWatching = watchClosedAccounts({ directory: options.directory, cache: directory, sessions, log, everyMs });
  const listeners = new Listeners({ ...options, limits, sessions });
  const stop = async (): Promise<void> => {
    stopWatching();
    certificate?.close();
    const closed = listeners.close();
    await sessions.answered(STOP_GRACE_MS);
    sessions.stop();
    upstreams.stop();
    await closed;
  };
  let ports: StratumPort[];
  let tlsPorts: StratumPort[];
  try {
    await upstreams.seen(FIRST_LOOK_MS);
    ports = await listeners.open(options.ports);
    tlsPorts = tls ? await listeners.open(tls.ports, certificate) : [];
  } catch (error) {
    await stop();
    throw error;
  }
  if (ownPorts) listeners.follow(ownPorts);
  return {
    ports,
    tlsPorts,
    ownPorts: () => listeners.ownPorts,
    upstreams: (subAccountId) => upstreams.status(subAccountId),
    status: (subAccountId) => upstreams.statusOfAccount(subAccountId),
    poolStatus: (subAccountId) => upstreams.poolStatus(subAccountId),
    testPool: poolTester(ownPools.outbound, limits),
    connections: () => sessions.size,
    dismiss: (account, worker) => slots.dismiss(account, worker),
    arrivals: (asker) => ({ ...sessions.arrivals(asker), refused: refusals.of(asker, now() / 1000) }),
    drain: async () => {
      void listeners.close();
      await sessions.drain();
    },
    stop,
  };
}

function metricsOf(registry: Registry, upstreams: Upstreams, limits: Limits, certificate?: Certificate) {
  upstreamMetrics(registry, upstreams);
  const allowed = 'Connections of miners that the limit of open files allows';
  gauge(registry, 'stratum_connections_limit', allowed, () => limits.connections);
  const expiry = 'When the certificate of the TLS ports expires';
  if (certificate) gauge(registry, 'stratum_certificate_expiry_timestamp_seconds', expiry, () => certificate.expiresAt);
  return stratumMetrics(registry);
}

/** What is remembered of all connections together. */
const sharedBySessions = ({ directory, sink, log, vardiff, onWithheld }: StratumProxyOptions, limits: Limits) => ({
  sink,
  log,
  vardiff,
  directory: new CachedDirectory(directory),
  bans: new Bans(limits),
  refusals: new Refusals(),
  slots: new WorkerSlots(limits.workersPerAccount),
  withholding: new Withholding((withheld) => {
    log.warn(withheld, 'credited for more shares of the upstream than it brought');
    onWithheld?.(withheld);
  }),
  addressRates: new LRUCache<string, Rate>({ max: MAX_ADDRESSES }),
  layouts: new Layouts(),
});
