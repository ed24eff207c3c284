/** One list of upstreams, best first, and the one its miners use now (docs/adr/0007-failover.md). */
import type { SwitchReason } from '@pool/shared/api/contract';
import type { AlgorithmName } from '@pool/shared/domain';
import type { FailureWord } from '../upstream/link';
import type { ConnectionsOptions } from '../upstream/upstream-connections';
import { UpstreamState } from '../upstream/upstream-state';
import type { UpstreamTarget } from '../upstream/upstream-target';

/** `from` and `to` are null for "no upstream works". */
export type Switch = {
  algorithm: AlgorithmName;
  from: UpstreamTarget | null;
  to: UpstreamTarget | null;
  why: SwitchReason;
};

/** The upstream a miner has to use, as it changes over time. */
export interface WorkRoute {
  /** Null: the list is empty. */
  readonly current: UpstreamState | null;
  readonly states: readonly UpstreamState[];
  /** Calls back when `current` changes or works again. */
  subscribe(listener: () => void): () => void;
}

export type RouteOptions = ConnectionsOptions & {
  algorithm: AlgorithmName;
  onSwitch(happened: Switch): void;
  /** One of its upstreams started or stopped working, whether it is in use or not. */
  onState(): void;
};

const HOUR_MS = 3_600_000;

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
  private readonly listeners = new Set<() => void>();
  /** Times (`performance.now()`) of the switches in the last hour, without those after edits. */
  private moves: number[] = [];
  /** No upstream worked at the last change of state. */
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

  /** Applies an edited list. Upstreams that stay keep their state and their miners. */
  setTargets(targets: readonly UpstreamTarget[]): void {
    const before = this.states;
    this.states = targets.map((target) => {
      const known = before.find((state) => sameUpstream(state.target, target)) ?? this.make(target);
      known.target = target;
      return known;
    });
    for (const state of before) if (!this.states.includes(state)) state.drop();
    for (const state of this.states) if (!before.includes(state)) state.look();
    const from = this.current;
    const to = this.afterEdit(before);
    if (to === from) return this.plan();
    this.current = to;
    if (to?.state === 'unreadable') this.reportSwitch(from, null, 'unreadable');
    else if (from) this.reportSwitch(from, to, 'changed');
    this.lost = to !== null && !to.usable;
    this.moved();
  }

  stop(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    for (const state of this.states) state.drop();
  }

  private make(target: UpstreamTarget): UpstreamState {
    return new UpstreamState(target, this.options, {
      onChange: (state, word) => this.onChange(state, word),
      isBetter: (state) => this.isBetter(state),
    });
  }

  /** Whether it stands before the current one in the list. */
  private isBetter(state: UpstreamState): boolean {
    return (
      this.current !== null &&
      this.states.includes(state) &&
      this.states.indexOf(state) < this.states.indexOf(this.current)
    );
  }

  /** The upstream after an edit: only one that the edit moved in front of the current one replaces it. */
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
    if (state === this.current && word && word !== 'closed') return this.onLost(state, word);
    if (this.lost && this.current !== state && !this.current?.usable && state.state === 'active')
      this.moveTo(state, 'restored');
    else if (state === this.current && state.state === 'active') this.onWorks(state);
    else this.plan();
  }

  private onWorks(state: UpstreamState): void {
    if (this.lost) this.reportSwitch(null, state, 'restored');
    this.lost = false;
    this.moved();
  }

  /** Handles the failure of the current upstream. `waited`: its grace time is over. */
  private onLost(state: UpstreamState, word: Exclude<FailureWord, 'closed'>, waited = false): void {
    const next = this.next();
    if (next && (waited || this.recent() < this.options.limits.switchesAnHour)) return this.moveTo(next, word);
    // At the limit of switches an hour: miners move on only if it does not come back within the grace time.
    if (next)
      return this.later(this.options.limits.graceMs, () => {
        if (!state.usable && this.current === state) this.onLost(state, word, true);
      });
    if (!this.lost) this.reportSwitch(state, null, word);
    this.lost = true;
    this.plan();
  }

  /** Another upstream to use: one that works, else one that was never tried. */
  private next(): UpstreamState | undefined {
    const others = this.states.filter((state) => state !== this.current);
    return others.find((state) => state.state === 'active') ?? others.find((state) => state.usable);
  }

  private moveTo(state: UpstreamState, why: SwitchReason): void {
    const from = this.current;
    this.current = state;
    this.lost = false;
    this.moves.push(performance.now());
    this.reportSwitch(why === 'restored' ? null : from, state, why);
    this.moved();
  }

  private moved(): void {
    this.plan();
    for (const listener of [...this.listeners]) listener();
  }

  /** Returns to a better upstream that is stable, within the hour's limit; else sets a timer for that time. */
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

  private reportSwitch(from: UpstreamState | null, to: UpstreamState | null, why: SwitchReason): void {
    this.options.onSwitch({
      algorithm: this.options.algorithm,
      from: from?.target ?? null,
      to: to?.target ?? null,
      why,
    });
  }
}
