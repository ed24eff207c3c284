/** The upstream pools of the proxy: which one a miner works for, and how each is doing. */
import type { Contract } from '@pool/shared/api/contract';
import { ALGORITHM_NAMES, type AlgorithmName } from '@pool/shared/domain';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Bus } from '../bus';
import type { Limits } from './limits';
import { probe, type ProbeTimes } from './upstream-probe';
import { type SwitchRow, UpstreamState } from './upstream-state';
import type { UpstreamTarget } from './upstream-target';

/** One line of `GET /upstreams`. */
export type UpstreamStatus = z.output<Contract['GET /upstreams']['response']>[number];
export type UpstreamLists = Partial<Record<AlgorithmName, readonly UpstreamTarget[]>>;

/** Switches of one upstream written down in an hour; a flapping one must not fill the table. */
const SWITCHES_AN_HOUR = 6;
const HOUR_MS = 3_600_000;

export type UpstreamsOptions = {
  /** Per algorithm, best first. */
  lists: UpstreamLists;
  limits: Limits;
  probeTimes?: ProbeTimes;
  log: Logger;
  bus?: Bus;
  /** Writes a switch down. */
  onSwitch?(row: SwitchRow): void;
};

export class Upstreams {
  private readonly states: Record<AlgorithmName, UpstreamState[]>;
  private readonly stops: (() => void)[];
  private readonly written = new Map<UpstreamState, number[]>();

  constructor(private readonly options: UpstreamsOptions) {
    const make = (algorithm: AlgorithmName): UpstreamState[] =>
      (options.lists[algorithm] ?? []).map((target) => new UpstreamState(target, { onSwitch: (state, row) => this.switched(state, row) }));
    this.states = { SHA256_ASICBOOST: make('SHA256_ASICBOOST'), SCRYPT: make('SCRYPT') };
    this.stops = ALGORITHM_NAMES.flatMap((algorithm) => this.states[algorithm].map((state) => probe(state, options.limits, options.probeTimes)));
  }

  /** The list a miner of this sub-account works down, best first. Everybody has the pool's own list until sub-accounts bring theirs. */
  listFor(algorithm: AlgorithmName, _subAccountId: number | null): readonly UpstreamState[] {
    return this.states[algorithm];
  }

  /** Smallest extranonce2 any upstream of the algorithm gave; null before one answered. */
  extranonceSize(algorithm: AlgorithmName): number | null {
    const sizes = this.states[algorithm].flatMap((state) => state.extranonceSize ?? []);
    return sizes.length ? Math.min(...sizes) : null;
  }

  /** For `GET /upstreams`; `connections` counts those of `subAccountId`, or all. */
  status(subAccountId?: number): UpstreamStatus[] {
    return ALGORITHM_NAMES.flatMap((algorithm) => this.states[algorithm].map((state, index, list) => ({
      algorithm,
      name: state.target.name,
      url: state.target.url,
      // Works, but an earlier one of the list gets the miners.
      state: state.state === 'active' && list.slice(0, index).some((better) => better.state === 'active') ? 'standby' as const : state.state,
      priority: index + 1,
      of: list.length,
      latencyMs: state.latencyMs === null ? null : Math.round(state.latencyMs * 10) / 10,
      lastSwitchAt: state.lastSwitchAt === null ? null : Math.floor(state.lastSwitchAt / 1000),
      lastSwitchWhy: state.lastSwitchWhy,
      connections: state.connectionsOf(subAccountId),
    })));
  }

  stop(): void {
    for (const stop of this.stops) stop();
  }

  private switched(state: UpstreamState, row: SwitchRow): void {
    const { log, bus, onSwitch } = this.options;
    log[row.toUrl ? 'info' : 'warn']({ algorithm: row.algorithm, upstream: state.target.url, why: row.why }, row.toUrl ? 'upstream works' : 'upstream lost');
    bus?.publish({ type: 'upstream', data: { algorithm: row.algorithm } });
    const now = Date.now();
    const recent = (this.written.get(state) ?? []).filter((at) => at > now - HOUR_MS);
    if (recent.length < SWITCHES_AN_HOUR) {
      recent.push(now);
      onSwitch?.(row);
    }
    this.written.set(state, recent);
  }
}
