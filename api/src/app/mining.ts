/** What miners need: the journal and the Stratum proxy. It starts without the database, by the snapshot of accounts. */
import type { Registry } from 'prom-client';
import { ALGORITHM_NAMES, type AlgorithmName } from '@pool/shared/domain';
import type { Bus } from '../platform/bus';
import { settingOf, type Config } from '../platform/config';
import type { Database } from '../platform/db/database';
import { NOMINAL as DEMO_NOMINAL } from '../demo/fleet';
import type { Logger } from '../platform/log';
import { ShareIngest } from '../mining/shares/ingest';
import { journalFolder } from '../mining/shares/journal/journal-folder';
import { parseUpstream, pgAccountDirectory, startStratumProxy } from '../stratum';
import type { StratumProxy, StratumProxyOptions, UpstreamTarget } from '../stratum';
import { startBuiltinPool } from '../stratum/builtin-pool';
import type { CountingNode } from '../mining/shares/counting-node';
import { pgSwitchLog } from '../mining/upstreams/switches';
import { pgWithheldLog } from '../mining/upstreams/withheld-work';
import type { OpenOwnPools } from '../mining/upstreams/own-pools';
import type { Shutdown } from './shutdown';
import type { Owner } from '../platform/db/server-lock';
import type { PoolClock } from '../platform/clock';
import type { Snapshot } from '../mining/upstreams/snapshot';

function tlsOf(config: Config): StratumProxyOptions['tls'] {
  const { STRATUM_TLS_CERT: cert, STRATUM_TLS_KEY: key } = config;
  const ports = ALGORITHM_NAMES.flatMap((algorithm) => {
    const port = config[settingOf('STRATUM_TLS_PORT', algorithm)];
    return port === undefined ? [] : [{ algorithm, port }];
  });
  return ports.length && cert && key ? { ports, files: { cert, key } } : undefined;
}

export type MiningOptions = {
  config: Config;
  database: Database;
  pools: OpenOwnPools;
  /** Null: this server is alone. */
  node: CountingNode | null;
  /** Null: the embedded database, which is never away. */
  snapshot: Snapshot | null;
  owner: Owner;
  clock: PoolClock;
  demo: boolean;
  bus: Bus;
  metrics: Registry;
  log: Logger;
  shutdown: Shutdown;
};

export type Mining = {
  ingest: ShareIngest;
  proxy: StratumProxy;
  upstreams: Partial<Record<AlgorithmName, UpstreamTarget[]>>;
};

export async function startMining(options: MiningOptions): Promise<Mining> {
  const { config, node, snapshot, owner, clock, demo, bus, metrics, log, shutdown } = options;
  const { pool, kind } = options.database;
  const { changes, outbound, lists, ports } = options.pools;
  const recording = ShareIngest.open({
    pool,
    folder: journalFolder(config.DATA_DIR),
    log,
    owner,
    node: node ?? undefined,
    bus,
    metrics,
    flushMs: config.COUNT_SECONDS * 1000,
    syncMs: config.JOURNAL_SYNC_MS,
    keepCounted: kind === 'postgresql',
  });
  const ingest = shutdown.part(await recording);
  const upstreams: Mining['upstreams'] = {};
  for (const algorithm of ALGORITHM_NAMES) {
    const configured = config[settingOf('UPSTREAM', algorithm)];
    if (configured) {
      upstreams[algorithm] = [parseUpstream(algorithm, configured)];
    } else if (demo) {
      const builtin = await startBuiltinPool({ algorithm, nominal: DEMO_NOMINAL[algorithm] });
      upstreams[algorithm] = [shutdown.part(builtin).target];
    }
  }
  const proxy = await startStratumProxy({
    host: config.STRATUM_HOST,
    balancers: config.STRATUM_BALANCERS,
    ports: ALGORITHM_NAMES.map((algorithm) => ({ algorithm, port: config[settingOf('STRATUM_PORT', algorithm)] })),
    directory: pgAccountDirectory(pool, changes, snapshot ?? undefined),
    sink: ingest,
    now: clock.now,
    upstreams,
    log,
    bus,
    metrics,
    onSwitch: pgSwitchLog(pool, log),
    onWithheld: pgWithheldLog(pool, log),
    tls: tlsOf(config),
    ownPools: { lists, outbound },
    ownPorts: ports,
  });
  shutdown.part(proxy);
  if (snapshot) shutdown.part(snapshot).follow(pool, changes);
  return { ingest, proxy, upstreams };
}
