import { ALGORITHM_NAMES, type AlgorithmName } from '@pool/shared/domain';
import { Counter, Gauge, type Registry } from 'prom-client';
import { counter } from '../../platform/metrics';
import type { ShareOutcome, Taken } from '../ports';
import type { Upstreams } from '../failover/upstreams';
import type { UpstreamState } from '../upstream/upstream-state';

export type StratumMetrics = ReturnType<typeof stratumMetrics>;

export function stratumMetrics(registry: Registry) {
  const shares = counter(registry, 'stratum_shares_total', 'Shares answered', ['algorithm', 'outcome']);
  const paid = 'Difficulty that an upstream of the pool has accepted and pays for in any case';
  const accepted = counter(registry, 'stratum_accepted_difficulty_total', paid, ['algorithm', 'upstream']);
  const owed = 'Difficulty that miners were credited for shares that an upstream of the pool has accepted';
  const credited = counter(registry, 'stratum_credited_difficulty_total', owed, ['algorithm', 'upstream']);
  const connections = new Gauge({
    name: 'stratum_connections',
    help: 'Miners connected',
    labelNames: ['algorithm'],
    registers: [registry],
  });
  for (const algorithm of ALGORITHM_NAMES) {
    connections.set({ algorithm }, 0);
    // Prometheus sees no increase of a counter that begins with the fault.
    shares.inc({ algorithm, outcome: 'unrecorded' }, 0);
  }
  return {
    connections,
    bans: counter(registry, 'stratum_bans_total', 'Miners banned for bad shares', ['algorithm']),
    refused: counter(registry, 'stratum_refused_connections_total', 'Connections ended by a limit', ['reason']),
    /** `unrecorded`: the journal could not take it; an accepted one was refused for that. */
    share: (algorithm: AlgorithmName, outcome: ShareOutcome | 'unrecorded') => shares.inc({ algorithm, outcome }),
    taken: (algorithm: AlgorithmName, { upstream, accepted: difficulty }: Taken, credit: number) => {
      accepted.inc({ algorithm, upstream }, difficulty);
      credited.inc({ algorithm, upstream }, credit);
    },
  };
}

export function upstreamMetrics(registry: Registry, upstreams: Upstreams): void {
  const metric = (
    Kind: typeof Counter | typeof Gauge,
    name: string,
    help: string,
    read: (state: UpstreamState) => number | null,
  ) =>
    new Kind({
      name,
      help,
      labelNames: ['algorithm', 'name', 'priority'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { state, priority } of upstreams.defaults()) {
          const { algorithm, name: upstream } = state.target;
          const value = read(state);
          if (value !== null) this.inc({ algorithm, name: upstream, priority }, value);
        }
      },
    });
  const failures = 'How often the upstream stopped working';
  metric(Counter, 'stratum_upstream_failures_total', failures, (state) => state.failures);
  const strays = 'Lines of the upstream that made no sense and were dropped';
  metric(Counter, 'stratum_upstream_stray_lines_total', strays, (state) => state.strays);
  metric(Gauge, 'stratum_upstream_up', 'Whether the upstream works', ({ usable }) => (usable ? 1 : 0));
  const connections = 'Connections to the upstream that have work';
  metric(Gauge, 'stratum_upstream_connections', connections, (state) => state.connections);
  const latency = 'Mean time in which the upstream answers a share';
  metric(Gauge, 'stratum_upstream_latency_seconds', latency, ({ latencyMs }) => latencyMs && latencyMs / 1000);
  const rejected = 'Part of the shares of the last hour that the upstream rejected';
  metric(Gauge, 'stratum_upstream_reject_ratio', rejected, ({ verdicts }) => verdicts.rejectRate());
}
