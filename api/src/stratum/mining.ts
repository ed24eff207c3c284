/** The whole mining side in one call: counting, upstreams (the built-in pool where none is named), proxy, and the demo's rigs. */
import { join } from 'node:path';
import type { AlgorithmName } from '@pool/shared/domain';
import { ALGORITHM_NAMES } from '@pool/shared/domain';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Bus } from '../bus';
import { DEMO_NOMINAL, startRigs } from '../demo';
import { ShareIngest } from '../pool/ingest';
import { startBuiltinPool } from './builtin-pool';
import { pgAccountDirectory } from './directory';
import { startStratumProxy, type StratumProxy } from './proxy';
import { pgSwitchLog } from './switch-log';
import { parseUpstream, type UpstreamTarget } from './upstream-target';

export type MiningOptions = {
  pool: Pool;
  /** The journal of shares lives in `journal` below it. */
  dataDir: string;
  host: string;
  ports: Record<AlgorithmName, number>;
  /** `stratum+tcp://user:password@host:port` per algorithm; the built-in pool where none is given. */
  upstreams: Partial<Record<AlgorithmName, string>>;
  /** What `seedDemo` answered; null: no demo, no rigs. */
  demoStart: number | null;
  log: Logger;
  bus?: Bus;
  metrics?: Registry;
};

export type Mining = { proxy: StratumProxy; stop(): Promise<void> };

export async function startMining({ pool, dataDir, host, ports, upstreams, demoStart, log, bus, metrics }: MiningOptions): Promise<Mining> {
  // Stopped in the reverse order, also when a later start fails: whoever counts stops last.
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => { for (const step of stops.splice(0).reverse()) await step(); };
  try {
    const ingest = await ShareIngest.open({ pool, folder: join(dataDir, 'journal'), log, bus, metrics });
    stops.push(() => ingest.stop());
    const lists: Partial<Record<AlgorithmName, UpstreamTarget[]>> = {};
    for (const algorithm of ALGORITHM_NAMES) {
      const url = upstreams[algorithm];
      if (url) { lists[algorithm] = [parseUpstream(algorithm, url)]; continue; }
      if (demoStart === null) log.warn({ algorithm }, 'no upstream pool is named: miners work for the built-in one, which pays nobody');
      const builtin = await startBuiltinPool({ algorithm, nominal: demoStart === null ? undefined : DEMO_NOMINAL[algorithm] });
      stops.push(() => builtin.stop());
      lists[algorithm] = [builtin.target];
    }
    const proxy = await startStratumProxy({
      host, ports: ALGORITHM_NAMES.map((algorithm) => ({ algorithm, port: ports[algorithm] })),
      directory: pgAccountDirectory(pool), sink: ingest, upstreams: lists, log, bus, metrics, onSwitch: pgSwitchLog(pool, log),
    });
    stops.push(() => proxy.stop());
    // Rigs prove nominal work only: a real upstream would refuse every share.
    if (demoStart !== null && ALGORITHM_NAMES.every((algorithm) => !upstreams[algorithm])) {
      const portOf = (algorithm: AlgorithmName): number => proxy.ports.find((p) => p.algorithm === algorithm)?.port ?? 0;
      const rigs = startRigs({ ports: { SHA256_ASICBOOST: portOf('SHA256_ASICBOOST'), SCRYPT: portOf('SCRYPT') }, start: demoStart, say: (message) => log.warn(message) });
      stops.push(() => rigs.stop());
    }
    return { proxy, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
