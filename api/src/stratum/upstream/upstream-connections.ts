/** The connections to one upstream for one account, or for one name of it: as few as its miners need, each with a slot for many of them. */
import { rolledAt } from '../wire/extranonce';
import { backoff, type Limits } from '../wire/limits';
import { Dues } from './dues';
import type { UpstreamFailure } from './link';
import type { Reconnect } from './reconnect';
import { type Owner, SharedConnection, type Tenant, wishOf } from './shared-connection';
import { UpstreamConnection } from './upstream-connection';
import type { Upstream } from './upstream-events';
import type { Outbound, Place } from './upstream-socket';
import { type Names, userOf } from './upstream-target';

export type ConnectionsOptions = { limits: Limits; outbound?: Outbound; names: Names };

/** More miners than this have two connections at least: one that is lost is never a whole farm. */
const MANY = 100;
/** Milliseconds that a miner is waited for that was sent away to subscribe again: software tries within half a minute. */
const AWAITED_MS = 40_000;

export class UpstreamConnections implements Owner {
  /** Connections that have work. */
  readonly ready = new Set<SharedConnection>();
  private readonly opening = new Set<SharedConnection>();
  /** The one that shows whether the upstream works, until it has work. */
  private looking: SharedConnection | null = null;
  private readonly waiting = new Set<Tenant>();
  private readonly dues = new Dues();
  private failures = 0;
  /** Where the next connection goes, if not to the configured address. */
  private place: Place | undefined;
  private timer: NodeJS.Timeout | null = null;
  private dropped = false;

  constructor(
    private readonly upstream: Upstream,
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

  /** Connects whether miners need it or not: how that ends decides about the upstream. */
  look(withinMs: number): void {
    this.looking ??= this.open(withinMs);
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
    if (this.options.names.worker !== undefined || !this.upstream.spared.has('mining.authorize')) return;
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const tenant of waiting) tenant.lost(null);
  }

  /** Closes what has no miners, and each other connection with its last one. */
  drop(): void {
    this.dropped = true;
    this.cancel();
    for (const { connection } of this.opening) connection.close();
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
    const user = userOf(this.upstream.target, tenant.names);
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
    // An upstream that is down is only looked at.
    if (this.dropped || this.timer || !this.upstream.usable) return;
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
    const { startDifficulty } = this.upstream;
    const wish = startDifficulty === null ? null : wishOf(this.waiting, startDifficulty);
    shared.wished = wish ?? 0;
    return wish;
  }

  private open(upstreamWorkMs = this.options.limits.upstreamWorkMs): SharedConnection {
    const { limits, outbound, names } = this.options;
    const { upstream, place } = this;
    const { target, spared } = upstream;
    this.place = undefined;
    const suggested = (): number | null => this.wishFor(shared);
    const options = { limits: { ...limits, upstreamWorkMs }, outbound, place, names, spared, suggested };
    const shared: SharedConnection = new SharedConnection(
      (events) => new UpstreamConnection(target, options, events),
      upstream,
      limits,
      this.dues,
      this,
    );
    this.opening.add(shared);
    return shared;
  }

  opened(shared: SharedConnection, latencyMs: number): void {
    const { connection } = shared;
    this.opening.delete(shared);
    this.ready.add(shared);
    if (this.looking === shared) this.looking = null;
    if (shared.wished === 0) this.upstream.startDifficulty = connection.difficulty;
    for (const other of this.ready)
      if (other.leaving) for (const tenant of [...other.seats.keys()]) this.seatAt(shared, tenant);
    this.upstream.works(connection, latencyMs);
    this.serve();
    if (shared.seats.size === 0) this.emptied(shared);
  }

  nameRefused(shared: SharedConnection): void {
    this.sendAway();
    if (shared.seats.size === 0) this.emptied(shared);
  }

  closed(shared: SharedConnection, failure: UpstreamFailure): void {
    const { livedMs } = shared;
    const isLook = this.looking === shared;
    if (isLook) this.looking = null;
    this.opening.delete(shared);
    this.ready.delete(shared);
    if (livedMs >= this.options.limits.settledMs) this.failures = 0;
    const hasFailed = failure.word !== 'closed';
    if (hasFailed && !this.dropped && !this.timer) this.openIn(backoff(this.failures++, this.options.limits));
    shared.empty();
    this.sendAway();
    if (hasFailed && !shared.leaving && !this.dropped) {
      for (const tenant of [...this.waiting]) tenant.failed();
      // A name that is refused says nothing of the others.
      if (failure.word !== 'auth_failed' || this.options.names.worker === undefined)
        this.upstream.failed(failure, livedMs, isLook);
    }
    this.openMore();
  }

  /** The present connection stays until the new one has work, and then answers its last shares. */
  reconnect(shared: SharedConnection, { waitMs, ...place }: Reconnect): void {
    if (shared.leaving) return;
    const { limits } = this.options;
    if (shared.livedMs >= limits.settledMs) this.failures = 0;
    shared.leaving = true;
    this.place = place;
    this.openIn(Math.max(waitMs, backoff(this.failures++, limits)));
  }

  emptied(shared: SharedConnection): void {
    if (this.dropped || shared.leaving) return this.closeEmpty(shared);
    const waitMs = shared.wasUsed ? this.options.limits.emptyMs : this.upstream.holdMs();
    setTimeout(() => this.closeEmpty(shared), Math.max(waitMs, shared.awaited - performance.now())).unref();
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
