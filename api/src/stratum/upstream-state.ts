/** What is known of one upstream, from every connection to it. */
import type { UpstreamFailure } from './upstream-connection';
import type { UpstreamTarget } from './upstream-target';

export type SwitchRow = { algorithm: string; subAccountId: number | null; fromUrl: string | null; toUrl: string | null; why: string };
export type StateName = 'active' | 'standby' | 'down' | 'auth_failed' | 'disabled';

export type StateEvents = {
  /** The upstream came, went or came back. */
  onSwitch(state: UpstreamState, row: SwitchRow): void;
};

const LATENCY_WEIGHT = 0.2;

export class UpstreamState {
  /** `standby`: never tried yet. */
  state: StateName = 'standby';
  latencyMs: number | null = null;
  lastSwitchAt: number | null = null;
  lastSwitchWhy: string | null = null;
  /** What it granted last: known before a miner's own connection is made. */
  extranonceSize: number | null = null;
  versionMask: number | null = null;
  /** Connections that are ready now, in all and per sub-account. */
  private connections = 0;
  private readonly bySubAccount = new Map<number, number>();
  private readonly waiting = new Set<() => void>();

  constructor(readonly target: UpstreamTarget, private readonly events: StateEvents) {}

  connectionsOf(subAccountId?: number): number {
    return subAccountId === undefined ? this.connections : this.bySubAccount.get(subAccountId) ?? 0;
  }

  connected(subAccountId: number): void { this.count(subAccountId, 1); }
  disconnected(subAccountId: number): void { this.count(subAccountId, -1); }

  /** A connection succeeded. */
  works(facts: { extranonceSize: number; versionMask: number; latencyMs: number }): void {
    this.extranonceSize = facts.extranonceSize;
    this.versionMask = facts.versionMask;
    this.latencyMs ??= facts.latencyMs;
    if (this.state === 'active') return;
    const first = this.state === 'standby';
    this.state = 'active';
    this.switched({ fromUrl: null, toUrl: this.target.url, why: first ? 'connected' : 'restored' });
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const wake of waiting) wake();
  }

  /** A connection failed. One of many that ends says nothing while others work. */
  failed({ kind, why }: UpstreamFailure): void {
    if (this.connections > 0 || this.state === kind) return;
    this.state = kind;
    this.latencyMs = null;
    this.switched({ fromUrl: this.target.url, toUrl: null, why });
  }

  latency(ms: number): void {
    this.latencyMs = this.latencyMs === null ? ms : this.latencyMs + (ms - this.latencyMs) * LATENCY_WEIGHT;
  }

  /** Calls back when it works again; the answer takes the wish back. */
  whenBack(wake: () => void): () => void {
    this.waiting.add(wake);
    return () => this.waiting.delete(wake);
  }

  private count(subAccountId: number, by: 1 | -1): void {
    this.connections += by;
    const count = (this.bySubAccount.get(subAccountId) ?? 0) + by;
    if (count > 0) this.bySubAccount.set(subAccountId, count);
    else this.bySubAccount.delete(subAccountId);
  }

  private switched(row: Pick<SwitchRow, 'fromUrl' | 'toUrl' | 'why'>): void {
    this.lastSwitchAt = Date.now();
    this.lastSwitchWhy = row.why;
    this.events.onSwitch(this, { algorithm: this.target.algorithm, subAccountId: null, ...row });
  }
}
