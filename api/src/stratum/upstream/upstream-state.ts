/** The state of one upstream of one list, from all connections to it. */
import type { UpstreamReason } from '@pool/shared/api/contract';
import { LRUCache } from 'lru-cache';
import { backoff } from '../wire/limits';
import type { PoolStatus } from '../ports';
import type { FailureWord, UpstreamFailure } from './link';
import { Spared } from './optional-calls';
import type { SharedConnection } from './shared-connection';
import { type ConnectionsOptions, UpstreamConnections } from './upstream-connections';
import type { Extranonce } from '../wire/extranonce';
import type { UpstreamConnection } from './upstream-connection';
import type { Upstream } from './upstream-events';
import { type Names, type UpstreamTarget, userOf } from './upstream-target';

/** Rate of rejected shares of an upstream in the last hour. */
const SLICE_MS = 600_000;
const SLICES = 6;

export class Verdicts {
  /** Shares by the start of their slice. */
  private readonly slices = new LRUCache<number, { all: number; rejected: number }>({ max: SLICES });

  note(accepted: boolean, now = performance.now()): void {
    const since = now - (now % SLICE_MS);
    const { all, rejected } = this.slices.get(since) ?? { all: 0, rejected: 0 };
    this.slices.set(since, { all: all + 1, rejected: rejected + (accepted ? 0 : 1) });
  }

  /** Rate from 0 to 1; null without shares. */
  rejectRate(now = performance.now()): number | null {
    const recent = [...this.slices].flatMap(([since, slice]) => (since > now - SLICES * SLICE_MS ? slice : []));
    const all = recent.reduce((sum, slice) => sum + slice.all, 0);
    return all ? recent.reduce((sum, { rejected }) => sum + rejected, 0) / all : null;
  }
}

/** Shown to the owner of a pool. */
export const PASSWORD_UNREADABLE = 'the stored password cannot be read: give it again';

export type StateEvents = {
  /** It started to work or failed. `word`: how it failed. */
  onChange(state: UpstreamState, word?: FailureWord): void;
  /** Whether miners would rather work for it than for the one in use. */
  isBetter(state: UpstreamState): boolean;
};

const LATENCY_WEIGHT = 0.2;
/** Milliseconds for a look at an upstream of which a connection was lost: miners wait for what it shows. */
const LOOK_NOW_MS = 3000;
/** Longest time a look stays connected; pools dislike connections that never send a share. */
const HOLD_MS = 15_000;
/** Factor on the delay of looks after a refused login: pools ban clients that retry too often. */
const AUTH_FAILED_FACTOR = 6;

export class UpstreamState implements Upstream {
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
  startDifficulty: number | null = null;
  strays = 0;
  readonly verdicts = new Verdicts();
  readonly spared = new Spared();
  /** Connections of each user of the pool. */
  private readonly users = new Map<string, UpstreamConnections>();
  /** Until the next look. */
  private timer: NodeJS.Timeout | undefined;
  private missed = 0;
  private dropped = false;

  /**
   * `target` may get another name, but never another address or user: that would be another upstream. `names`: those
   * that it is looked at with.
   */
  constructor(
    public target: UpstreamTarget,
    private readonly options: ConnectionsOptions,
    private readonly events: StateEvents,
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
    return this.shared.length;
  }

  /** Miners that work for it, of the sub-account or all. */
  minersOf(subAccountId?: number): number {
    if (subAccountId === undefined) return this.shared.reduce((sum, { seats }) => sum + seats.size, 0);
    const tenants = this.shared.flatMap(({ seats }) => [...seats.keys()]);
    return tenants.filter((tenant) => tenant.subAccountId === subAccountId).length;
  }

  private get shared(): SharedConnection[] {
    return [...this.users.values()].flatMap(({ ready }) => [...ready]);
  }

  /** The connections that the shares of this miner go over: of its account, or of its name where only one is taken. */
  connectionsFor(names: Names): UpstreamConnections {
    const of = this.spared.has('mining.authorize') ? names : { account: names.account };
    const key = userOf(this.target, { worker: '', ...of });
    const known = this.users.get(key) ?? new UpstreamConnections(this, { ...this.options, names: of });
    this.users.set(key, known);
    return known;
  }

  holdMs(): number {
    return this.events.isBetter(this) ? Math.min(HOLD_MS, this.options.limits.stableMs) : 0;
  }

  /** Finds out whether it works, from then on again and again, with a connection that waiting miners get. */
  look(withinMs = this.options.limits.upstreamWorkMs): void {
    if (this.state !== 'unreadable' && !this.dropped) this.connectionsFor(this.options.names).look(withinMs);
  }

  private lookLater(): void {
    clearTimeout(this.timer);
    if (this.dropped) return;
    const { lookMs, downMaxMs, backoffMs } = this.options.limits;
    const factor = this.state === 'auth_failed' ? AUTH_FAILED_FACTOR : 1;
    const retry = { backoffMs: backoffMs * factor, backoffMaxMs: downMaxMs * factor };
    const ms = this.usable ? lookMs : backoff(this.missed++, retry);
    this.timer = setTimeout(() => {
      if (this.usable) this.missed = 0;
      // Connected miners show what it does.
      if (this.usable && this.connections > 0) this.lookLater();
      else this.look();
    }, ms);
  }

  /** It is in no list any more: each connection is closed with its last miner. */
  drop(): void {
    this.dropped = true;
    clearTimeout(this.timer);
    for (const connections of this.users.values()) connections.drop();
  }

  works({ versionMask, extranonce }: Pick<UpstreamConnection, 'versionMask' | 'extranonce'>, latencyMs: number): void {
    this.versionMask = versionMask;
    this.extranonce = extranonce;
    this.latencyMs ??= latencyMs;
    this.workingSince ??= performance.now();
    const isNew = this.state !== 'active';
    if (isNew) this.switched(this.state === 'standby' ? 'connected' : 'restored');
    this.state = 'active';
    this.lookLater();
    if (!isNew) return;
    this.lastError = null;
    for (const connections of this.users.values()) connections.serve();
    this.events.onChange(this);
  }

  /** A connection failed after `livedMs`. It says little while others work: then a look at the upstream decides. */
  failed({ word, why }: UpstreamFailure, livedMs: number, isLook: boolean): void {
    this.workingSince = null;
    this.lastError = why;
    const isSettled = word === 'lost' && livedMs >= this.options.limits.settledMs;
    if (this.usable && !isLook && (isSettled || this.connections > 0)) return this.look(LOOK_NOW_MS);
    const state = word === 'auth_failed' ? word : 'down';
    const isNew = this.state !== state;
    if (this.usable) this.failures += 1;
    if (isNew) this.switched(word);
    this.state = state;
    this.latencyMs = null;
    if (isNew || isLook) this.lookLater();
    if (isNew) this.events.onChange(this, word);
  }

  verdict(ms: number, accepted: boolean): void {
    this.latencyMs = this.latencyMs === null ? ms : this.latencyMs + (ms - this.latencyMs) * LATENCY_WEIGHT;
    this.verdicts.note(accepted);
    // An upstream that accepts shares works, whatever a look found.
    if (accepted && !this.usable) this.works({ versionMask: this.versionMask ?? 0, extranonce: this.extranonce }, ms);
  }

  private switched(why: UpstreamReason): void {
    this.lastSwitchAt = Date.now();
    this.lastSwitchWhy = why;
  }
}
