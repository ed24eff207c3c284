/** One connection to an upstream with the miners that share it: each has a slot, all get its jobs. */
import { freeSlot, keyOf, type Layout, type Slot } from '../wire/extranonce';
import type { Limits } from '../wire/limits';
import { LINES_IN_A_ROW, roundRobin } from '../wire/round-robin';
import type { Dues } from './dues';
import { type SharedJob, SharedJobs } from './shared-job';
import type { UpstreamFailure } from './link';
import type { Reconnect } from './reconnect';
import type { UpstreamConnection } from './upstream-connection';
import type { Upstream, UpstreamEvents } from './upstream-events';
import type { UpstreamJob } from './upstream-job';
import type { Names } from './upstream-target';

/** A miner's place on a connection, until `leave`. */
export type Seat = {
  readonly slot: Slot;
  /** The name that its shares are sent under. */
  readonly user: string;
  readonly shared: SharedConnection;
  leave(): void;
};

/** A miner that works for an upstream. */
export interface Tenant {
  readonly subAccountId: number;
  readonly names: Names;
  readonly layout: Layout;
  /** Rolls four bytes or nothing. */
  readonly needsAll: boolean;
  /** Understands `mining.set_extranonce`. */
  readonly takesExtranonce: boolean;
  /** Difficulty that suits it: a share each few seconds. 0: nobody knows yet. */
  readonly wanted: number;
  /** Difficulty that it asked for; null: none. */
  readonly asked: number | null;
  /** It has another place from now on; the connection's last job follows. */
  seated(seat: Seat): void;
  onJob(job: SharedJob, clean: boolean): void;
  onVersionMask(): void;
  /** Its connection has ended, or has no place for it any more. */
  lost(seat: Seat | null): void;
  /** An attempt to connect for it failed. */
  failed(): void;
  /** The layout that fits there; software that takes none while it is connected is sent away to subscribe again. */
  relayout(layout: Layout): void;
}

/** Shares a second that are a flood to an upstream. */
const FLOOD = 10;
/** Seconds from share to share of a miner at the difficulty that suits it. */
const SUITS_SECONDS = 6;

/** The difficulty to ask an upstream for where these miners would flood it, or one asked for more; else null. */
export function wishOf(tenants: Iterable<Tenant>, difficulty: number): number | null {
  let [sum, largest, asked] = [0, 0, 0];
  for (const tenant of tenants) {
    sum += tenant.wanted;
    largest = Math.max(largest, tenant.wanted);
    asked = Math.max(asked, tenant.asked ?? 0);
  }
  const perSecond = sum / SUITS_SECONDS;
  return asked > difficulty || perSecond > FLOOD * difficulty ? Math.max(perSecond, largest) : null;
}

/** What it belongs to. */
export type Owner = {
  /** It has work for the first time. */
  opened(shared: SharedConnection, latencyMs: number): void;
  /** Its last miner went. */
  emptied(shared: SharedConnection): void;
  nameRefused(shared: SharedConnection): void;
  reconnect(shared: SharedConnection, to: Reconnect): void;
  closed(shared: SharedConnection, failure: UpstreamFailure): void;
};

export class SharedConnection implements UpstreamEvents {
  readonly connection: UpstreamConnection;
  readonly seats = new Map<Tenant, Seat>();
  private readonly taken = new Set<string>();
  /** Miners that have not got the last job yet, and whether they have to drop what they do for it. */
  private readonly due = new Map<Tenant, boolean>();
  private readonly jobs = new SharedJobs();
  /** Bytes that its miners roll; null while it has none. */
  private rolled: number | null = null;
  /** Difficulty that the upstream was asked for last. */
  wished = 0;
  /** The last job; null before the first, and from a new extranonce to the next. */
  job: SharedJob | null = null;
  /** Another connection takes its place. */
  leaving = false;
  /** `performance.now()` until which a miner is waited for that subscribes again. */
  awaited = 0;
  /** A miner had a place. */
  wasUsed = false;
  /** `performance.now()` of its first work; null before. */
  private readyAt: number | null = null;

  constructor(
    connect: (events: UpstreamEvents) => UpstreamConnection,
    readonly upstream: Upstream,
    private readonly limits: Limits,
    readonly dues: Dues,
    private readonly owner: Owner,
  ) {
    this.connection = connect(this);
  }

  /** Milliseconds since its first work. */
  get livedMs(): number {
    return this.readyAt === null ? 0 : performance.now() - this.readyAt;
  }

  get hasRoom(): boolean {
    return this.connection.ready && !this.leaving && this.seats.size < this.limits.minersPerConnection;
  }

  /** A free slot for this layout; null when it has none. */
  slotFor(layout: Layout): Slot | null {
    const { extranonce } = this.connection;
    if (!extranonce || !this.hasRoom) return null;
    if (this.rolled !== null && this.rolled !== layout.extranonce2Size) return null;
    return freeSlot(layout, extranonce, this.taken);
  }

  seat(tenant: Tenant, slot: Slot, user: string): void {
    const seat: Seat = {
      slot,
      user,
      shared: this,
      leave: () => {
        if (this.seats.get(tenant) !== seat) return;
        this.remove(tenant, seat);
        if (this.seats.size === 0) this.owner.emptied(this);
      },
    };
    this.rolled = tenant.layout.extranonce2Size;
    this.taken.add(keyOf(slot));
    this.seats.set(tenant, seat);
    this.wasUsed = true;
    tenant.seated(seat);
    const { job } = this;
    if (job && this.seats.get(tenant) === seat) tenant.onJob(job, job.sent.clean);
    this.calm();
  }

  onReady(latencyMs: number): void {
    this.readyAt = performance.now();
    this.owner.opened(this, latencyMs);
  }

  onJob(sent: UpstreamJob): void {
    const { extranonce } = this.connection;
    if (!extranonce) return;
    const job = this.jobs.add(sent, this.connection, extranonce);
    this.job = job;
    const isServing = this.due.size > 0;
    for (const tenant of this.seats.keys()) this.due.set(tenant, sent.clean || this.due.get(tenant) === true);
    if (!isServing) this.serve();
    this.calm();
  }

  /** A few miners in one turn of the event loop: shares of others are answered in between. */
  private serve(): void {
    for (const [tenant, clean] of [...this.due].slice(0, LINES_IN_A_ROW)) {
      this.due.delete(tenant);
      if (this.job && this.seats.has(tenant)) tenant.onJob(this.job, clean);
    }
    if (this.due.size > 0) roundRobin.later(() => this.serve());
  }

  /** All slots are new, from the next job on. */
  onExtranonce(): void {
    this.job = null;
    this.empty();
  }

  onDifficulty(difficulty: number): void {
    this.jobs.inForce(difficulty);
  }

  onVersionMask(): void {
    for (const tenant of this.seats.keys()) tenant.onVersionMask();
  }

  onNameRefused(user: string): void {
    this.empty(user);
    this.owner.nameRefused(this);
  }

  onStray(): void {
    this.upstream.strays += 1;
  }

  onVerdict(ms: number, accepted: boolean): void {
    this.upstream.verdict(ms, accepted);
  }

  onReconnect(to: Reconnect): void {
    this.owner.reconnect(this, to);
  }

  onClosed(failure: UpstreamFailure): void {
    this.owner.closed(this, failure);
  }

  /** Its miners, or those of one name, go elsewhere. */
  empty(user?: string): void {
    const gone = [...this.seats].filter(([, seat]) => user === undefined || seat.user === user);
    for (const [tenant, seat] of gone) this.remove(tenant, seat);
    for (const [tenant, seat] of gone) tenant.lost(seat);
  }

  private calm(): void {
    const { connection } = this;
    const wish = connection.ready ? wishOf(this.seats.keys(), connection.difficulty) : null;
    if (wish === null || wish < 2 * this.wished) return;
    this.wished = wish;
    connection.suggestDifficulty(wish);
  }

  private remove(tenant: Tenant, seat: Seat): void {
    this.seats.delete(tenant);
    this.taken.delete(keyOf(seat.slot));
    this.due.delete(tenant);
    if (this.seats.size === 0) this.rolled = null;
  }
}
