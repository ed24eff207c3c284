/**
 * One list of upstreams, best first, and which of them its miners work for now (docs/adr/0007-failover.md): the next
 * when the present one fails, back to a better one when that has been stable, and not too often.
 */
import type { AlgorithmName } from '@pool/shared/domain';
import type { Limits } from '../wire/limits';
import type { FailureWord } from '../upstream/upstream-connection';
import { Probe, type ProbeTimes } from '../upstream/upstream-probe';
import type { Outbound } from '../upstream/upstream-socket';
import { type StateEvents, UpstreamState } from '../upstream/upstream-state';
import type { UpstreamTarget } from '../upstream/upstream-target';

/**
 * `restored`: after nothing worked; `returned`: back to a better one; `changed`: the list was edited; `unreadable`: no
 * password of the list can be read; else how the one before failed.
 */
export type SwitchWord = 'restored' | 'returned' | 'changed' | 'unreadable' | Exclude<FailureWord, 'closed'>;
/** Null: none works. */
export type Switch = {
  algorithm: AlgorithmName;
  from: UpstreamTarget | null;
  to: UpstreamTarget | null;
  why: SwitchWord;
};

/** What miners follow. */
export interface WorkRoute {
  /** Null: there is no upstream at all. */
  readonly current: UpstreamState | null;
  readonly states: readonly UpstreamState[];
  /** Calls back when `current` is another, or works again. */
  subscribe(listener: () => void): () => void;
}

export type RouteOptions = {
  algorithm: AlgorithmName;
  limits: Limits;
  outbound?: Outbound;
  probeTimes?: ProbeTimes;
  onSwitch(happened: Switch): void;
  /** One of its upstreams came or went, whether miners worked for it or not. */
  onState(): void;
};

const HOUR_MS = 3_600_000;
/** Longest time to stay connected for a look; then it rests, pools do not like who never sends a share. */
const HOLD_MS = 30_000;

const sameUpstream = (a: UpstreamTarget, b: UpstreamTarget): boolean =>
  a.id === b.id &&
  a.host === b.host &&
  a.port === b.port &&
  a.tls === b.tls &&
  a.user === b.user &&
  a.password === b.password;

export class Route implements WorkRoute {
  current: UpstreamState | null = null;
  states: readonly UpstreamState[] = [];
  private readonly probes = new Map<UpstreamState, Probe>();
  private readonly listeners = new Set<() => void>();
  /** When switches were made (`performance.now()`) in the last hour, edits not counted. */
  private moves: number[] = [];
  /** Nothing worked when last seen. */
  private lost = false;
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;

  constructor(
    private readonly options: RouteOptions,
    targets: readonly UpstreamTarget[],
  ) {
    this.setTargets(targets);
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Follows an edited list. What stayed the same keeps its state and its miners. */
  setTargets(targets: readonly UpstreamTarget[]): void {
    const before = this.states;
    this.states = targets.map((target) => {
      const known = before.find((state) => sameUpstream(state.target, target)) ?? this.make(target);
      known.target = target;
      return known;
    });
    for (const state of before) if (!this.states.includes(state)) this.drop(state);
    for (const state of this.states)
      if (state.state !== 'unreadable' && !this.probes.has(state)) this.probes.set(state, this.probe(state));
    const from = this.current;
    const to = this.afterEdit(before);
    if (to === from) return this.plan();
    this.current = to;
    if (to?.state === 'unreadable') this.tell(from, null, 'unreadable');
    else if (from) this.tell(from, to, 'changed');
    this.lost = to !== null && !to.usable;
    this.moved();
  }

  stop(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    for (const probe of this.probes.values()) probe.stop();
    this.probes.clear();
  }

  private make(target: UpstreamTarget): UpstreamState {
    const events: StateEvents = {
      onChange: (state, word) => this.onChange(state, word),
      onDoubt: (state) => this.probes.get(state)?.doubt(),
    };
    return new UpstreamState(target, this.options.limits, events);
  }

  private probe(state: UpstreamState): Probe {
    const { limits, outbound, probeTimes } = this.options;
    return new Probe(state, {
      limits,
      outbound,
      times: probeTimes,
      holdMs: () => (this.isBetter(state) ? Math.min(HOLD_MS, limits.stableMs) : 0),
    });
  }

  private drop(state: UpstreamState): void {
    this.probes.get(state)?.stop();
    this.probes.delete(state);
  }

  /** Comes before the present one. */
  private isBetter(state: UpstreamState): boolean {
    return (
      this.current !== null &&
      this.states.includes(state) &&
      this.states.indexOf(state) < this.states.indexOf(this.current)
    );
  }

  /** An edit moves miners only where it says so: to what now stands before the present one and did not before. */
  private afterEdit(before: readonly UpstreamState[]): UpstreamState | null {
    const { current, states } = this;
    const first = states.find((state) => state.usable) ?? states[0] ?? null;
    if (!current || !states.includes(current)) return first;
    if (!first || !this.isBetter(first)) return current;
    const place = before.indexOf(first);
    return place < 0 || place > before.indexOf(current) ? first : current;
  }

  private onChange(state: UpstreamState, word?: FailureWord): void {
    if (this.stopped || !this.states.includes(state)) return;
    this.options.onState();
    if (!state.usable) this.probes.get(state)?.lost();
    if (state === this.current && word && word !== 'closed') return this.onLost(state, word);
    if (this.lost && this.current !== state && !this.current?.usable && state.state === 'active')
      this.moveTo(state, 'restored');
    else if (state === this.current && state.state === 'active') this.onWorks(state);
    else this.plan();
  }

  private onWorks(state: UpstreamState): void {
    if (this.lost) this.tell(null, state, 'restored');
    this.lost = false;
    this.moved();
  }

  /** The present one failed. `patient`: it was given its time. */
  private onLost(state: UpstreamState, word: Exclude<FailureWord, 'closed'>, patient = false): void {
    const next = this.next();
    if (next && (patient || this.recent() < this.options.limits.switchesAnHour)) return this.moveTo(next, word);
    // Often enough this hour: only if it does not come back in a moment, miners move on.
    if (next)
      return this.later(this.options.limits.patienceMs, () => {
        if (!state.usable && this.current === state) this.onLost(state, word, true);
      });
    if (!this.lost) this.tell(state, null, word);
    this.lost = true;
    this.plan();
  }

  /** Another one to work for: one that is known to work, else one that was not tried. */
  private next(): UpstreamState | undefined {
    const others = this.states.filter((state) => state !== this.current);
    return others.find((state) => state.state === 'active') ?? others.find((state) => state.usable);
  }

  private moveTo(state: UpstreamState, why: SwitchWord): void {
    const from = this.current;
    this.current = state;
    this.lost = false;
    this.moves.push(performance.now());
    this.tell(why === 'restored' ? null : from, state, why);
    this.moved();
  }

  private moved(): void {
    this.plan();
    for (const listener of [...this.listeners]) listener();
  }

  /** Goes back to a better one when it has been stable for long enough, and the hour leaves room for that and for failing once more. */
  private plan(): void {
    const { limits } = this.options;
    if (this.stopped || (this.current && !this.current.usable)) return;
    const now = performance.now();
    const stableAt = (state: UpstreamState): number =>
      state.state === 'active' && state.workingSince !== null ? state.workingSince + limits.stableMs : Infinity;
    const better = this.states.filter((state) => this.isBetter(state));
    const room = limits.switchesAnHour - 2;
    const roomAt = this.recent() > room ? (this.moves.at(-room - 1) ?? now) + HOUR_MS : now;
    const stable = better.find((state) => stableAt(state) <= now);
    if (stable && roomAt <= now) return this.moveTo(stable, 'returned');
    const at = Math.max(roomAt, Math.min(...better.map(stableAt)));
    if (Number.isFinite(at)) this.later(at - now + 5, () => this.plan());
    else this.later(null);
  }

  private recent(): number {
    const since = performance.now() - HOUR_MS;
    this.moves = this.moves.filter((at) => at > since);
    return this.moves.length;
  }

  private later(ms: number | null, then?: () => void): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = ms === null || !then ? null : setTimeout(then, ms);
  }

  private tell(from: UpstreamState | null, to: UpstreamState | null, why: SwitchWord): void {
    this.options.onSwitch({
      algorithm: this.options.algorithm,
      from: from?.target ?? null,
      to: to?.target ?? null,
      why,
    });
  }
}
