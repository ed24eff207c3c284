/**
 * The upstream list of each sub-account with connected miners: its own pools, or the pool's default list when it has
 * none. Miners wait until the list has been read.
 */
import { ALGORITHM_NAMES, ALGORITHMS, type AlgorithmName } from '@pool/shared/domain';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { PoolLists } from '../ports';
import type { Limits } from '../wire/limits';
import type { Route, Switch, WorkRoute } from './route';
import type { UpstreamState } from '../upstream/upstream-state';
import type { UpstreamTarget } from '../upstream/upstream-target';

/** A sub-account with connected miners. */
export type MiningAccount = { subAccountId: number; userId: number; account: string };

export type AccountRoutesOptions = {
  lists: PoolLists;
  limits: Limits;
  log: Logger;
  fallback(algorithm: AlgorithmName): Route;
  /** Makes a route over a sub-account's own pools. */
  make(algorithm: AlgorithmName, account: MiningAccount, targets: readonly UpstreamTarget[]): Route;
  onSwitch(account: MiningAccount, happened: Switch): void;
};

/** Lists kept in memory after their last miner left, used when the database cannot be read. */
const MAX_KEPT_LISTS = 10_000;
type KeptLists = LRUCache<string, readonly UpstreamTarget[]>;

/** Retry delay after a list could not be read. */
const RETRY_MS = 2000;

export class AccountRoute implements WorkRoute {
  own: Route | null = null;
  users = 0;
  readonly ready: Promise<void>;
  private readonly listeners = new Set<() => void>();
  private unsubscribe: () => void = () => undefined;
  /** A list has been read or taken from memory. */
  private known = false;
  /** Reading failed before any list was known, so miners had to wait. */
  private waited = false;
  private reading = false;
  private again = false;
  private retry: NodeJS.Timeout | null = null;
  private stopped = false;

  constructor(
    readonly algorithm: AlgorithmName,
    readonly account: MiningAccount,
    private readonly options: AccountRoutesOptions,
    private readonly kept: KeptLists,
  ) {
    this.ready = this.read();
  }

  get current(): UpstreamState | null {
    return this.route?.current ?? null;
  }
  get states(): readonly UpstreamState[] {
    return this.route?.states ?? [];
  }
  /** The reason, shown to miners, why they get no work whatever the state of the pools; null when there is none. */
  get blocked(): string | null {
    if (!this.known) return 'Your upstream pools cannot be read now: please wait';
    const { own, route } = this;
    if (!own && route?.states.length === 0)
      return `The pool has no upstream pool for ${ALGORITHMS[this.algorithm].label} yet: there is no work to send`;
    return own?.states.every(({ state }) => state === 'unreadable')
      ? 'The passwords of your upstream pools cannot be read: give them again on the page of your account'
      : null;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Reads the list and applies it. Only one read runs at a time; a change during it starts another. */
  async read(): Promise<void> {
    this.again = true;
    if (this.reading) return;
    this.reading = true;
    while (this.again && !this.stopped) {
      this.again = false;
      try {
        const targets = await this.options.lists.find(this.account.subAccountId, this.algorithm);
        if (this.stopped) break;
        this.apply(targets);
        if (!this.again) this.kept.set(keyOf(this.account.subAccountId, this.algorithm), targets);
      } catch (error) {
        this.options.log.warn(
          { err: error, subAccountId: this.account.subAccountId },
          'upstream pools of a sub-account cannot be read; it is retried',
        );
        if (this.retry) clearTimeout(this.retry);
        const { subAccountId } = this.account;
        const kept =
          this.kept.get(keyOf(subAccountId, this.algorithm)) ??
          this.options.lists.known?.(subAccountId, this.algorithm);
        if (kept && !this.known) this.apply(kept);
        this.waited = !this.known;
        if (!this.stopped) this.retry = setTimeout(() => void this.read(), RETRY_MS);
      }
    }
    this.reading = false;
  }

  stop(): void {
    this.stopped = true;
    if (this.retry) clearTimeout(this.retry);
    this.unsubscribe();
    this.own?.stop();
  }

  private get route(): Route | null {
    return this.own ?? (this.known ? this.options.fallback(this.algorithm) : null);
  }

  private apply(targets: readonly UpstreamTarget[]): void {
    if (targets.length > 0 && this.own) return this.own.setTargets(targets);
    if (targets.length === 0 && !this.own && this.known) return;
    const { current: from, known: wasKnown } = this;
    this.known = true;
    this.own?.stop();
    this.own = targets.length > 0 ? this.options.make(this.algorithm, this.account, targets) : null;
    this.unsubscribe();
    this.unsubscribe = this.route?.subscribe(() => this.moved()) ?? this.unsubscribe;
    // The first list is no switch. The own route reports unreadable passwords itself.
    if ((wasKnown || (this.waited && this.own)) && this.current?.state !== 'unreadable')
      this.options.onSwitch(this.account, {
        algorithm: this.algorithm,
        from: from?.target ?? null,
        to: this.current?.target ?? null,
        why: wasKnown ? 'changed' : 'restored',
      });
    this.moved();
  }

  private moved(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

export class AccountRoutes {
  private readonly routes = new Map<string, AccountRoute>();
  private readonly kept: KeptLists = new LRUCache({ max: MAX_KEPT_LISTS });
  private readonly expiring = new Map<AccountRoute, NodeJS.Timeout>();
  private readonly unsubscribe: () => void;
  private stopped = false;

  constructor(private readonly options: AccountRoutesOptions) {
    this.unsubscribe = options.lists.onChange((ids) => {
      for (const id of ids) for (const algorithm of ALGORITHM_NAMES) this.kept.delete(keyOf(id, algorithm));
      for (const route of this.routes.values()) if (ids.includes(route.account.subAccountId)) void route.read();
    });
  }

  /** The route shared by all miners of the sub-account. Call `release` when done. */
  take(algorithm: AlgorithmName, account: MiningAccount): AccountRoute {
    const key = keyOf(account.subAccountId, algorithm);
    const known = this.routes.get(key);
    const route = known ?? new AccountRoute(algorithm, account, this.options, this.kept);
    if (!known) this.routes.set(key, route);
    route.users += 1;
    clearTimeout(this.expiring.get(route));
    this.expiring.delete(route);
    return route;
  }

  /** Stops the route some time after its last user: miners reconnect, and its failover history is needed then. */
  release(route: AccountRoute): void {
    route.users -= 1;
    if (route.users > 0 || this.stopped) return;
    this.expiring.set(
      route,
      setTimeout(() => {
        this.expiring.delete(route);
        this.routes.delete(keyOf(route.account.subAccountId, route.algorithm));
        route.stop();
      }, this.options.limits.routeKeptMs),
    );
  }

  find(subAccountId: number, algorithm: AlgorithmName): AccountRoute | undefined {
    return this.routes.get(keyOf(subAccountId, algorithm));
  }

  get size(): number {
    return this.routes.size;
  }

  stop(): void {
    this.stopped = true;
    this.unsubscribe();
    for (const timer of this.expiring.values()) clearTimeout(timer);
    for (const route of this.routes.values()) route.stop();
    this.routes.clear();
  }
}

const keyOf = (subAccountId: number, algorithm: AlgorithmName): string => `${subAccountId} ${algorithm}`;
