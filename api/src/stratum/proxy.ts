/** The Stratum proxy: listens for miners of each algorithm and forwards their work to upstream pools. */
import type { Socket } from 'node:net';
import type { Arrivals } from '@pool/shared/api/contract';
import type { AlgorithmName } from '@pool/shared/domain';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Bus } from '../platform/bus';
import { gauge } from '../platform/metrics';
import type { Slot } from '../platform/limits/connection-slots';
import { connectionsAllowed } from '../platform/open-files';
import type { AccountDirectory, OwnPort, PoolStatus, PoolTarget, PoolTest, PortList, ShareSink } from './ports';
import { Bans } from './miner/access/bans';
import { type Asker, Refusals } from './miner/access/refusals';
import { watchClosedAccounts } from './miner/closed-accounts';
import { Certificate, type CertificateFiles } from './listen/certificate';
import { CachedDirectory } from './miner/directory';
import { StratumListener } from './listen/listener';
import { type Limits, LIMITS, type Rate } from './wire/limits';
import { addressList } from './listen/proxy-protocol';
import { stratumMetrics, upstreamMetrics } from './miner/metrics';
import { OwnPorts } from './listen/own-ports';
import { Layouts } from './miner/layouts';
import { MinerSession } from './miner/session';
import { VARDIFF, type VardiffSettings } from './miner/vardiff';
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

export type StratumPort = { algorithm: AlgorithmName; port: number };

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
/** Difficulty adjustments of each miner in the target time between two shares. */
const VARDIFF_TICKS = 12;

export async function startStratumProxy(options: StratumProxyOptions): Promise<StratumProxy> {
  const { log, sink, host, metrics: registry, now = Date.now } = options;
  const limits: Limits = { ...LIMITS, connections: connectionsAllowed().miners, ...options.limits };
  const metrics = registry && stratumMetrics(registry);
  const certificate = options.tls && (await Certificate.open(options.tls.files, log));
  const upstreams = new Upstreams({
    lists: options.upstreams,
    own: options.ownPools,
    limits,
    log,
    bus: options.bus,
    onSwitch: options.onSwitch,
  });
  if (registry) {
    upstreamMetrics(registry, upstreams);
    const allowed = 'Connections of miners that the limit of open files allows';
    gauge(registry, 'stratum_connections_limit', allowed, () => limits.connections);
    const expiry = 'When the certificate of the TLS ports expires';
    if (certificate)
      gauge(registry, 'stratum_certificate_expiry_timestamp_seconds', expiry, () => certificate.expiresAt);
  }
  const isBalancer = options.balancers && addressList(options.balancers);
  const sessions = new Sessions(limits, metrics);
  const directory = new CachedDirectory(options.directory);
  const stopWatching = watchClosedAccounts({
    directory: options.directory,
    cache: directory,
    sessions,
    log,
    everyMs: limits.closedMs,
  });
  const shared = {
    limits,
    directory,
    sink,
    now,
    upstreams,
    bans: new Bans(limits),
    refusals: new Refusals(),
    slots: new WorkerSlots(limits.workersPerAccount),
    withholding: new Withholding((withheld) => {
      log.warn(withheld, 'credited for more shares of the upstream than it brought');
      options.onWithheld?.(withheld);
    }),
    log,
    metrics,
    addressRates: new LRUCache<string, Rate>({ max: MAX_ADDRESSES }),
    layouts: new Layouts(),
    vardiff: options.vardiff,
  };

  const makeListener = (
    algorithm: AlgorithmName,
    port: number,
    owner: number | null,
    tls?: Certificate,
  ): StratumListener => {
    const enter = (socket: Socket, address: string, slot: Slot): void => {
      metrics?.connections.inc({ algorithm });
      const session = new MinerSession(
        socket,
        address,
        { ...shared, algorithm, owner },
        {
          proven: slot.stay,
          ended: (ended) => {
            sessions.delete(ended);
            metrics?.connections.dec({ algorithm });
          },
        },
      );
      sessions.add(session);
    };
    const admit = (socket: Socket, address: string): Slot | null => sessions.admit(socket, address);
    const { handshakeMs } = limits;
    return new StratumListener({ host, port, certificate: tls, handshakeMs, log, isBalancer, admit, enter });
  };

  // Two timers for all connections; idle miners are found a little late.
  const sweep = setInterval(() => sessions.endIdle(), Math.min(15_000, Math.max(50, limits.idleMs / 4)));
  const targetSeconds = options.vardiff?.targetSeconds ?? VARDIFF.targetSeconds;
  const tick = setInterval(() => sessions.tick(), (targetSeconds * 1000) / VARDIFF_TICKS);

  const listeners: StratumListener[] = [];
  let ownPorts: OwnPorts | null = null;
  /** Resolves when their last connection has closed. */
  const stopListening = (): Promise<unknown> =>
    Promise.all([...listeners.map((opened) => opened.close()), ownPorts?.stop()]);
  const close = async (): Promise<void> => {
    clearInterval(sweep);
    clearInterval(tick);
    stopWatching();
    certificate?.close();
    const closed = stopListening();
    await sessions.answered(STOP_GRACE_MS);
    for (const session of sessions) session.abandon();
    upstreams.stop();
    await closed;
  };
  const openAll = async (ports: readonly StratumPort[], tls?: Certificate): Promise<StratumPort[]> => {
    const opened: StratumPort[] = [];
    for (const { algorithm, port } of ports) {
      const made = makeListener(algorithm, port, null, tls);
      await made.open();
      listeners.push(made);
      opened.push({ algorithm, port: made.port });
    }
    return opened;
  };

  let ports: StratumPort[];
  let tlsPorts: StratumPort[];
  try {
    await upstreams.seen(FIRST_LOOK_MS);
    ports = await openAll(options.ports);
    tlsPorts = options.tls ? await openAll(options.tls.ports, certificate) : [];
  } catch (error) {
    await close();
    throw error;
  }
  if (options.ownPorts) {
    ownPorts = new OwnPorts({
      list: options.ownPorts,
      log,
      retryMs: limits.portRetryMs,
      make: ({ algorithm, port, subAccountId }) => makeListener(algorithm, port, subAccountId),
      closing: ({ algorithm, subAccountId }) => {
        for (const session of sessions)
          if (session.owner === subAccountId && session.algorithm === algorithm) session.leave('port closed');
      },
    });
  }
  return {
    ports,
    tlsPorts,
    ownPorts: () => ownPorts?.ports ?? [],
    upstreams: (subAccountId) => upstreams.status(subAccountId),
    status: (subAccountId) => upstreams.statusOfAccount(subAccountId),
    poolStatus: (subAccountId) => upstreams.poolStatus(subAccountId),
    testPool: poolTester(upstreams.outbound, limits),
    connections: () => sessions.size,
    dismiss: (account, worker) => shared.slots.dismiss(account, worker),
    arrivals: (asker) => ({ ...sessions.arrivals(asker), refused: shared.refusals.of(asker, now() / 1000) }),
    drain: async () => {
      void stopListening();
      await sessions.drain();
    },
    stop: close,
  };
}
