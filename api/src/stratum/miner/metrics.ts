/** Prometheus metrics of the proxy. */
import { ALGORITHM_NAMES, type AlgorithmName } from '@pool/shared/domain';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Certificate } from '../listen/certificate';
import type { ShareOutcome, Taken } from '../ports';
import type { Upstreams } from '../failover/upstreams';
import type { UpstreamState } from '../upstream/upstream-state';
import type { ProofGate } from './proof-gate';

export class StratumMetrics {
  readonly shares: Counter<'algorithm' | 'outcome'>;
  readonly bans: Counter<'algorithm'>;
  readonly refused: Counter<'reason'>;
  readonly connections: Gauge<'algorithm'>;
  private readonly accepted: Counter<'algorithm' | 'upstream'>;
  private readonly credited: Counter<'algorithm' | 'upstream'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.shares = new Counter({
      name: 'stratum_shares_total',
      help: 'Shares answered',
      labelNames: ['algorithm', 'outcome'],
      registers,
    });
    this.bans = new Counter({
      name: 'stratum_bans_total',
      help: 'Miners banned for bad shares',
      labelNames: ['algorithm'],
      registers,
    });
    this.refused = new Counter({
      name: 'stratum_refused_connections_total',
      help: 'Connections ended by a limit',
      labelNames: ['reason'],
      registers,
    });
    this.connections = new Gauge({
      name: 'stratum_connections',
      help: 'Miners connected',
      labelNames: ['algorithm'],
      registers,
    });
    const labelNames = ['algorithm', 'upstream'] as const;
    this.accepted = new Counter({
      name: 'stratum_accepted_difficulty_total',
      help: 'Difficulty that an upstream of the pool has accepted and pays for in any case',
      labelNames,
      registers,
    });
    this.credited = new Counter({
      name: 'stratum_credited_difficulty_total',
      help: 'Difficulty that miners were credited for shares that an upstream of the pool has accepted',
      labelNames,
      registers,
    });
    for (const algorithm of ALGORITHM_NAMES) {
      this.connections.set({ algorithm }, 0);
      // Prometheus sees no increase of a counter that begins with the fault.
      this.shares.inc({ algorithm, outcome: 'unrecorded' }, 0);
    }
  }

  /** `unrecorded`: the journal could not take it; an accepted one was refused for that. */
  share(algorithm: AlgorithmName, outcome: ShareOutcome | 'unrecorded'): void {
    this.shares.inc({ algorithm, outcome });
  }

  taken(algorithm: AlgorithmName, { upstream, accepted }: Taken, credited: number): void {
    this.accepted.inc({ algorithm, upstream }, accepted);
    this.credited.inc({ algorithm, upstream }, credited);
  }
}

/** State of the pool's own upstreams. */
export function upstreamGauges(registry: Registry, upstreams: Upstreams): void {
  const common = { labelNames: ['algorithm', 'name', 'priority'], registers: [registry] };
  const labelsOf = ({ state: { target }, priority }: ReturnType<Upstreams['defaults']>[number]) => ({
    algorithm: target.algorithm,
    name: target.name,
    priority,
  });
  const each = (name: string, help: string, read: (state: UpstreamState) => number | null): Gauge =>
    new Gauge({
      ...common,
      name,
      help,
      collect() {
        this.reset();
        for (const upstream of upstreams.defaults()) {
          const value = read(upstream.state);
          if (value !== null) this.set(labelsOf(upstream), value);
        }
      },
    });
  const total = (name: string, help: string, key: 'failures' | 'strays'): Counter =>
    new Counter({
      ...common,
      name,
      help,
      collect() {
        this.reset();
        for (const upstream of upstreams.defaults()) this.inc(labelsOf(upstream), upstream.state[key]);
      },
    });
  total('stratum_upstream_failures_total', 'How often the upstream stopped working', 'failures');
  total('stratum_upstream_stray_lines_total', 'Lines of the upstream that made no sense and were dropped', 'strays');
  each('stratum_upstream_up', 'Whether the upstream works', ({ usable }) => (usable ? 1 : 0));
  each('stratum_upstream_latency_seconds', 'Mean time in which the upstream answers a share', ({ latencyMs }) =>
    latencyMs === null ? null : latencyMs / 1000,
  );
  each('stratum_upstream_reject_ratio', 'Part of the shares of the last hour that the upstream rejected', (state) =>
    state.verdicts.rejectRate(),
  );
}

/** Counts miners that wait for the first accepted share of their address or account. */
export function waitingGauge(registry: Registry, gate: ProofGate): void {
  new Gauge({
    name: 'stratum_waiting_miners',
    help: 'Miners without an upstream connection until their address and account have a share accepted',
    registers: [registry],
    collect() {
      this.set(gate.waiting);
    },
  });
}

/** How many miners may be connected: beyond that, ones that have not authorised give way, and newcomers are refused. */
export function limitGauge(registry: Registry, connections: number): void {
  new Gauge({
    name: 'stratum_connections_limit',
    help: 'Connections of miners that the limit of open files allows',
    registers: [registry],
  }).set(connections);
}

/** When the certificate of the TLS ports expires. */
export function certificateGauge(registry: Registry, certificate: Certificate): void {
  new Gauge({
    name: 'stratum_certificate_expiry_timestamp_seconds',
    help: 'When the certificate of the TLS ports expires',
    registers: [registry],
    collect() {
      this.set(certificate.expiresAt);
    },
  });
}
