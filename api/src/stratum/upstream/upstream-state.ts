/** What is known of one upstream of one list, from every connection to it. */
import type { UpstreamReason } from '@pool/shared/api/contract';
import type { Limits } from '../wire/limits';
import type { FailureWord, UpstreamFailure } from './upstream-connection';
import type { UpstreamTarget } from './upstream-target';
import { Verdicts } from './verdicts';

export type StateName = 'active' | 'standby' | 'down' | 'auth_failed' | 'unreadable' | 'disabled';

/** For the owner of a pool. */
export const PASSWORD_UNREADABLE = 'the stored password cannot be read: give it again';

export type StateEvents = {
  /** It came, went or came back. `word`: why it went. */
  onChange(state: UpstreamState, word?: FailureWord): void;
  /** Something failed that others' connections speak against: somebody should look. */
  onDoubt(state: UpstreamState): void;
};

const LATENCY_WEIGHT = 0.2;
/** So many failures in so many milliseconds, for each connection that stands, mean that it does not stay up. */
const STRIKES = 2;
const LEAST_STRIKES = 4;
const STRIKES_MS = 10_000;

export class UpstreamState {
  /** `standby`: never tried yet. */
  state: Exclude<StateName, 'disabled'> = 'standby';
  latencyMs: number | null = null;
  /** Unix milliseconds. */
  lastSwitchAt: number | null = null;
  lastSwitchWhy: UpstreamReason | null = null;
  /** Connections of miners in their handshake. */
  opening = 0;
  lastError: string | null = null;
  /** `performance.now()` since when nothing of it failed; null while it does not work. */
  workingSince: number | null = null;
  /** What it granted last: known before a miner's own connection is made. */
  extranonceSize: number | null = null;
  versionMask: number | null = null;
  readonly verdicts = new Verdicts();
  private strikes = { since: 0, count: 0 };
  /** Connections that are ready now, in all and per sub-account. */
  private connections = 0;
  private readonly bySubAccount = new Map<number, number>();

  /** `target` may get another name, never another address or user: that is another upstream. */
  constructor(
    public target: UpstreamTarget,
    private readonly limits: Limits,
    private readonly events: StateEvents,
  ) {
    if (target.password !== null) return;
    this.state = 'unreadable';
    this.lastError = PASSWORD_UNREADABLE;
  }

  get usable(): boolean {
    return this.state === 'active' || this.state === 'standby';
  }

  connectionsOf(subAccountId?: number): number {
    return subAccountId === undefined ? this.connections : (this.bySubAccount.get(subAccountId) ?? 0);
  }

  connected(subAccountId: number): void {
    this.count(subAccountId, 1);
  }
  disconnected(subAccountId: number): void {
    this.count(subAccountId, -1);
  }

  /** A connection succeeded. */
  works(facts: { extranonceSize: number; versionMask: number; latencyMs: number }): void {
    this.extranonceSize = facts.extranonceSize;
    this.versionMask = facts.versionMask;
    this.latencyMs ??= facts.latencyMs;
    this.workingSince ??= performance.now();
    if (this.state === 'active') return;
    this.switched(this.state === 'standby' ? 'connected' : 'restored');
    this.state = 'active';
    this.lastError = null;
    this.events.onChange(this);
  }

  /**
   * A connection failed that had worked for `livedMs`. One of many says little while others work, and one that is lost
   * after a long time is tried again: unless a look at it is what failed (`certain`).
   */
  failed({ word, why }: UpstreamFailure, livedMs: number, certain = false): void {
    this.workingSince = null;
    this.lastError = why;
    const state = word === 'auth_failed' ? word : 'down';
    if (this.state === state) return;
    const settled = word === 'lost' && livedMs >= this.limits.settledMs;
    if (!certain && (settled || (this.connections > 0 && !this.strike()))) return this.events.onDoubt(this);
    this.state = state;
    this.latencyMs = null;
    this.strikes = { since: 0, count: 0 };
    this.switched(word);
    this.events.onChange(this, word);
  }

  verdict(ms: number, accepted: boolean): void {
    this.latencyMs = this.latencyMs === null ? ms : this.latencyMs + (ms - this.latencyMs) * LATENCY_WEIGHT;
    this.verdicts.note(accepted);
    // Whatever a look at it found: who accepts shares works.
    if (accepted && !this.usable)
      this.works({ extranonceSize: this.extranonceSize ?? 0, versionMask: this.versionMask ?? 0, latencyMs: ms });
  }

  private strike(): boolean {
    const now = performance.now();
    if (now - this.strikes.since > STRIKES_MS) this.strikes = { since: now, count: 0 };
    this.strikes.count += 1;
    return this.strikes.count >= Math.max(LEAST_STRIKES, STRIKES * this.connections);
  }

  private count(subAccountId: number, by: 1 | -1): void {
    this.connections += by;
    const count = (this.bySubAccount.get(subAccountId) ?? 0) + by;
    if (count > 0) this.bySubAccount.set(subAccountId, count);
    else this.bySubAccount.delete(subAccountId);
  }

  private switched(why: UpstreamReason): void {
    this.lastSwitchAt = Date.now();
    this.lastSwitchWhy = why;
  }
}
