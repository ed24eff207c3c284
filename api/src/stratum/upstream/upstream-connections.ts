/** The connections to one upstream for one account, or for one name of it: as few as its miners need, each with a slot for many of them. */
import { rolledAt } from '../wire/extranonce';
import { backoff, type Limits } from '../wire/limits';
import { Dues } from './dues';
import type { UpstreamFailure } from './link';
import type { Spared } from './optional-calls';
import type { Reconnect } from './reconnect';
import { SharedConnection, type Tenant, wishOf } from './shared-connection';
import { UpstreamConnection } from './upstream-connection';
import type { Outbound, Place } from './upstream-socket';
import { type Names, type UpstreamTarget, userOf } from './upstream-target';

export type ConnectionsOptions = { limits: Limits; outbound?: Outbound; names: Names };

/** What the connections to an upstream ask and tell it. */
type Upstream = {
  readonly target: UpstreamTarget;
  readonly usable: boolean;
  readonly startDifficulty: number | null;
  readonly spared: Spared;
  strays: number;
  opened(connection: SharedConnection, isOpen: boolean): void;
  works(grants: { versionMask: number }, latencyMs: number): void;
  verdict(ms: number, accepted: boolean): void;
  count(subAccountId: number, by: 1 | -1): void;
  failed(failure: UpstreamFailure, livedMs: number): void;
};

/** More miners than this have two connections at least: one that is lost is never a whole farm. */
const MANY = 100;
/** Milliseconds that a miner is waited for that was sent away to subscribe again: software tries within half a minute. */
const AWAITED_MS = 40_000;

export class UpstreamConnections {
  private readonly ready = new Set<SharedConnection>();
  private readonly opening = new Set<UpstreamConnection>();
  private readonly waiting = new Set<Tenant>();
  private readonly dues = new Dues();
  private failures = 0;
  /** Where the next connection goes, if not to the configured address. */
  private place: Place | undefined;
  private timer: NodeJS.Timeout | null = null;
  private dropped = false;

  constructor(
    private readonly state: Upstream,
    private readonly options: ConnectionsOptions,
  ) {}

  /** Finds a place for the miner as soon as there is one. */
  join(tenant: Tenant): void {
    if (this.seat(tenant)) return this.openMore();
    this.waiting.add(tenant);
    this.openMore();
  }

  /** It waits no more. */
  leave(tenant: Tenant): void {
    this.waiting.delete(tenant);
  }

  /** Finds places for all that wait. */
  serve(): void {
    this.sendAway();
    for (const tenant of [...this.waiting]) {
      // Thousands wait after a switch, and each connection takes a few hundred.
      if (this.withRoom.length === 0) break;
      if (this.waiting.has(tenant)) this.seat(tenant);
    }
    this.openMore();
  }

  /** Where the upstream takes no second name, those that wait have a connection each. */
  private sendAway(): void {
    if (this.options.names.worker !== undefined || !this.state.spared.has('mining.authorize')) return;
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const tenant of waiting) tenant.lost(null);
  }

  /** Closes what has no miners, and each other connection with its last one. */
  drop(): void {
    this.dropped = true;
    this.cancel();
    for (const connection of this.opening) connection.close();
    for (const shared of this.ready) this.closeEmpty(shared);
  }

  private get withRoom(): SharedConnection[] {
    return [...this.ready].filter(({ hasRoom }) => hasRoom);
  }

  /** Whether the miner has a place now, or was sent away. Those with the fewest miners are filled first. */
  private seat(tenant: Tenant): boolean {
    return this.withRoom.sort((a, b) => a.seats.size - b.seats.size).some((shared) => this.seatAt(shared, tenant));
  }

  private seatAt(shared: SharedConnection, tenant: Tenant): boolean {
    const { extranonce } = shared.connection;
    const user = userOf(this.state.target, tenant.names);
    if (!extranonce || !shared.connection.takes(user)) return false;
    const { layout, takesExtranonce } = tenant;
    const rolled = rolledAt(extranonce.size, tenant.needsAll);
    const known = shared.slotFor(layout);
    const grows = takesExtranonce && layout.extranonce2Size < rolled;
    if (known && !grows) {
      this.waiting.delete(tenant);
      shared.seat(tenant, known, user);
      return true;
    }
    const isSingle = rolled === extranonce.size;
    if (!isSingle && !grows && layout.extranonce2Size <= rolled) return false;
    if (isSingle && (shared.seats.size > 0 || shared.awaited > performance.now())) return false;
    const extranonce1 = isSingle ? extranonce.extranonce1.slice(-2) : layout.extranonce1;
    const fits = { extranonce1, extranonce2Size: rolled };
    const slot = shared.slotFor(fits);
    if (!slot) return false;
    this.waiting.delete(tenant);
    tenant.relayout(fits);
    if (takesExtranonce) shared.seat(tenant, slot, user);
    else if (isSingle) shared.awaited = performance.now() + AWAITED_MS;
    return true;
  }

  private openMore(): void {
    // Only the probe retries an upstream that is down, and reports its recovery.
    if (this.dropped || this.timer || !this.state.usable) return;
    const { minersPerConnection } = this.options.limits;
    const staying = [...this.ready].filter(({ leaving, connection }) => !leaving && connection.ready);
    const [first] = staying;
    const size = first?.connection.extranonce?.size;
    const perConnection = size !== undefined && rolledAt(size, false) === size ? 1 : minersPerConnection;
    const seated = staying.reduce((sum, { seats }) => sum + seats.size, this.waiting.size);
    const leaving = [...this.ready].some((shared) => shared.leaving && shared.seats.size > 0);
    const needed = Math.max(
      Math.ceil(this.waiting.size / perConnection),
      leaving ? 1 : 0,
      seated > MANY ? 2 - staying.length : 0,
    );
    while (this.opening.size < needed) this.open();
  }

  private wishFor(shared: SharedConnection): number | null {
    const { startDifficulty } = this.state;
    const wish = startDifficulty === null ? null : wishOf(this.waiting, startDifficulty);
    shared.wished = wish ?? 0;
    return wish;
  }

  private open(): void {
    const { limits, outbound, names } = this.options;
    const { state, place } = this;
    this.place = undefined;
    let readyAt = 0;
    const connection: UpstreamConnection = new UpstreamConnection(
      state.target,
      { limits, outbound, place, names, spared: state.spared, suggested: () => this.wishFor(shared) },
      {
        onReady: (latencyMs) => {
          readyAt = performance.now();
          this.opening.delete(connection);
          this.ready.add(shared);
          state.opened(shared, true);
          for (const other of this.ready)
            if (other.leaving) for (const tenant of [...other.seats.keys()]) this.seatAt(shared, tenant);
          state.works(connection, latencyMs);
          this.serve();
          if (shared.seats.size === 0) this.onEmpty(shared);
        },
        onVersionMask: () => shared.onVersionMask(),
        onExtranonce: () => shared.onExtranonce(),
        onNameRefused: (user) => {
          shared.empty(user);
          this.sendAway();
          if (shared.seats.size === 0) this.onEmpty(shared);
        },
        onJob: (job) => shared.onJob(job),
        onDifficulty: (difficulty) => shared.onDifficulty(difficulty),
        onVerdict: (ms, accepted) => state.verdict(ms, accepted),
        onStray: () => {
          state.strays += 1;
        },
        onReconnect: (to) => this.reconnect(shared, to, performance.now() - readyAt),
        onClosed: (failure) => {
          this.opening.delete(connection);
          this.ready.delete(shared);
          if (readyAt) state.opened(shared, false);
          this.onClosed(shared, failure, readyAt ? performance.now() - readyAt : 0);
        },
      },
    );
    const shared = new SharedConnection(connection, limits, this.dues, {
      count: (subAccountId, by) => state.count(subAccountId, by),
      onEmpty: () => this.onEmpty(shared),
    });
    this.opening.add(connection);
  }

  private onClosed(shared: SharedConnection, failure: UpstreamFailure, livedMs: number): void {
    const isFailure = failure.word !== 'closed' && !shared.leaving;
    if (livedMs >= this.options.limits.settledMs) this.failures = 0;
    if (failure.word !== 'closed' && !this.dropped && !this.timer)
      this.openIn(backoff(this.failures++, this.options.limits));
    shared.empty();
    this.sendAway();
    if (isFailure && !this.dropped) {
      for (const tenant of [...this.waiting]) tenant.failed();
      // A name that is refused says nothing of the others.
      if (failure.word !== 'auth_failed' || this.options.names.worker === undefined)
        this.state.failed(failure, livedMs);
    }
    this.openMore();
  }

  /** The present connection stays until the new one has work, and then answers its last shares. */
  private reconnect(shared: SharedConnection, { waitMs, ...place }: Reconnect, livedMs: number): void {
    if (shared.leaving) return;
    const { limits } = this.options;
    if (livedMs >= limits.settledMs) this.failures = 0;
    shared.leaving = true;
    this.place = place;
    this.openIn(Math.max(waitMs, backoff(this.failures++, limits)));
  }

  private onEmpty(shared: SharedConnection): void {
    if (this.dropped || shared.leaving) return this.closeEmpty(shared);
    const waitMs = Math.max(this.options.limits.emptyMs, shared.awaited - performance.now());
    setTimeout(() => this.closeEmpty(shared), waitMs).unref();
  }

  private closeEmpty(shared: SharedConnection): void {
    if (shared.seats.size === 0) shared.connection.retire();
  }

  private openIn(ms: number): void {
    this.cancel();
    this.timer = setTimeout(() => {
      this.timer = null;
      this.serve();
    }, ms);
  }

  private cancel(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }
}
