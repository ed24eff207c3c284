/** The state of one upstream of one list, from all connections to it. */
import type { UpstreamReason } from '@pool/shared/api/contract';
import type { Limits } from '../wire/limits';
import type { PoolStatus } from '../ports';
import type { FailureWord, UpstreamFailure } from './link';
import { Spared } from './optional-calls';
import type { Seat, SharedConnection } from './shared-connection';
import { UpstreamConnections } from './upstream-connections';
import type { Outbound } from './upstream-socket';
import type { Extranonce } from '../wire/extranonce';
import type { UpstreamConnection } from './upstream-connection';
import { type Names, type UpstreamTarget, userOf } from './upstream-target';

/** Rate of rejected shares of an upstream in the last hour. */
const SLICE_MS = 600_000;
const SLICES = 6;

type Slice = { since: number; accepted: number; rejected: number };

export class Verdicts {
  private slices: Slice[] = [];

  note(accepted: boolean, now = performance.now()): void {
    const since = now - (now % SLICE_MS);
    let slice = this.slices.at(-1);
    if (slice?.since !== since) {
      slice = { since, accepted: 0, rejected: 0 };
      this.slices = [...this.slices, slice].slice(-SLICES);
    }
    slice[accepted ? 'accepted' : 'rejected'] += 1;
  }

  /** Rate from 0 to 1; null without shares. */
  rejectRate(now = performance.now()): number | null {
    const recent = this.slices.filter(({ since }) => since > now - SLICES * SLICE_MS);
    const rejected = recent.reduce((sum, slice) => sum + slice.rejected, 0);
    const all = recent.reduce((sum, slice) => sum + slice.accepted, rejected);
    return all ? rejected / all : null;
  }
}

/** Shown to the owner of a pool. */
export const PASSWORD_UNREADABLE = 'the stored password cannot be read: give it again';

export type StateEvents = {
  /** It started to work or failed. `word`: how it failed. */
  onChange(state: UpstreamState, word?: FailureWord): void;
  /** One connection failed while others still work: a probe should check. */
  onSuspect(state: UpstreamState): void;
};

const LATENCY_WEIGHT = 0.2;
/** Failures within STRIKES_MS that mark an upstream as down while other connections work: STRIKES for each of them. */
const STRIKES = 2;
const MIN_STRIKES = 4;
const STRIKES_MS = 10_000;

export class UpstreamState {
  /** `standby`: never tried yet. */
  state: PoolStatus['state'] = 'standby';
  latencyMs: number | null = null;
  /** Unix milliseconds. */
  lastSwitchAt: number | null = null;
  lastSwitchWhy: UpstreamReason | null = null;
  lastError: string | null = null;
  failures = 0;
  /** `performance.now()` since when no connection failed; null while it does not work. */
  workingSince: number | null = null;
  /** Granted to the last connection; used before a miner's own connection exists. */
  versionMask: number | null = null;
  /** What it left to the last connection. */
  extranonce: Extranonce | null = null;
  /** Where a connection starts for which nothing is suggested; null: unknown. */
  startDifficulty: number | null = null;
  /** Lines that make no sense, which were dropped. */
  strays = 0;
  readonly verdicts = new Verdicts();
  /** What the pool is known to do without. */
  readonly spared = new Spared();
  private strikes = { since: 0, count: 0 };
  /** Connections of each user of the pool. */
  private readonly users = new Map<string, UpstreamConnections>();
  private readonly open = new Set<SharedConnection>();
  private readonly miners = new Map<number, number>();

  /** `target` may get another name, but never another address or user: that would be another upstream. */
  constructor(
    public target: UpstreamTarget,
    private readonly limits: Limits,
    private readonly events: StateEvents,
    private readonly outbound?: Outbound,
  ) {
    if (target.password !== null) return;
    this.state = 'unreadable';
    this.lastError = PASSWORD_UNREADABLE;
  }

  get usable(): boolean {
    return this.state === 'active' || this.state === 'standby';
  }

  /** Number of its connections with work. */
  get connections(): number {
    return this.open.size;
  }

  /** Miners that work for it, of the sub-account or all. */
  minersOf(subAccountId?: number): number {
    if (subAccountId !== undefined) return this.miners.get(subAccountId) ?? 0;
    return [...this.miners.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The connections that the shares of this miner go over: of its account, or of its name where only one is taken. */
  connectionsFor(names: Names): UpstreamConnections {
    const of = this.spared.has('mining.authorize') ? names : { account: names.account };
    const key = userOf(this.target, { worker: '', ...of });
    const { limits, outbound } = this;
    const known = this.users.get(key) ?? new UpstreamConnections(this, { limits, outbound, names: of });
    this.users.set(key, known);
    return known;
  }

  has(seat: Seat | null): boolean {
    return seat !== null && this.open.has(seat.shared);
  }

  /** A connection has work, or has ended. */
  opened(connection: SharedConnection, isOpen: boolean): void {
    if (isOpen) this.open.add(connection);
    else this.open.delete(connection);
  }

  /** A miner of the sub-account came (1) or went (-1). */
  count(subAccountId: number, by: 1 | -1): void {
    const count = (this.miners.get(subAccountId) ?? 0) + by;
    if (count > 0) this.miners.set(subAccountId, count);
    else this.miners.delete(subAccountId);
  }

  /** It is in no list any more: each connection is closed with its last miner. */
  drop(): void {
    for (const connections of this.users.values()) connections.drop();
  }

  works({ versionMask, extranonce }: Pick<UpstreamConnection, 'versionMask' | 'extranonce'>, latencyMs: number): void {
    this.versionMask = versionMask;
    this.extranonce = extranonce;
    this.latencyMs ??= latencyMs;
    this.workingSince ??= performance.now();
    if (this.state === 'active') return;
    this.switched(this.state === 'standby' ? 'connected' : 'restored');
    this.state = 'active';
    this.lastError = null;
    for (const connections of this.users.values()) connections.serve();
    this.events.onChange(this);
  }

  /** A connection failed after `livedMs`: it says little while others work. A failed probe (`certain`) decides. */
  failed({ word, why }: UpstreamFailure, livedMs: number, certain = false): void {
    this.workingSince = null;
    this.lastError = why;
    const state = word === 'auth_failed' ? word : 'down';
    if (this.state === state) return;
    const settled = word === 'lost' && livedMs >= this.limits.settledMs;
    if (!certain && (settled || (this.open.size > 0 && !this.strike()))) return this.events.onSuspect(this);
    if (this.usable) this.failures += 1;
    this.state = state;
    this.latencyMs = null;
    this.strikes = { since: 0, count: 0 };
    this.switched(word);
    this.events.onChange(this, word);
  }

  verdict(ms: number, accepted: boolean): void {
    this.latencyMs = this.latencyMs === null ? ms : this.latencyMs + (ms - this.latencyMs) * LATENCY_WEIGHT;
    this.verdicts.note(accepted);
    // An upstream that accepts shares works, whatever a probe found.
    if (accepted && !this.usable) this.works({ versionMask: this.versionMask ?? 0, extranonce: this.extranonce }, ms);
  }

  private strike(): boolean {
    const now = performance.now();
    if (now - this.strikes.since > STRIKES_MS) this.strikes = { since: now, count: 0 };
    this.strikes.count += 1;
    return this.strikes.count >= Math.max(MIN_STRIKES, STRIKES * this.open.size);
  }

  private switched(why: UpstreamReason): void {
    this.lastSwitchAt = Date.now();
    this.lastSwitchWhy = why;
  }
}
