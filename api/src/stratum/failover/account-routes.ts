/**
 * Which list each sub-account mines to, as long as somebody mines for it: its own pools, or where it has none the pool's
 * default list. Until its list was read nobody knows, and its miners wait.
 */
import { ALGORITHM_NAMES, type AlgorithmName } from '@pool/shared/domain';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { PoolLists } from '../ports';
import type { Limits } from '../wire/limits';
import type { Route } from './route';
import { type Switch, type WorkRoute } from './route';
import type { UpstreamState } from '../upstream/upstream-state';
import type { UpstreamTarget } from '../upstream/upstream-target';

/** A sub-account with miners. */
export type MiningAccount = { subAccountId: number; userId: number; account: string };

export type AccountRoutesOptions = {
  lists: PoolLists;
  limits: Limits;
  log: Logger;
  fallback(algorithm: AlgorithmName): Route;
  /** A route over a sub-account's own pools. */
  make(algorithm: AlgorithmName, account: MiningAccount, targets: readonly UpstreamTarget[]): Route;
  onSwitch(account: MiningAccount, happened: Switch): void;
};

/** Lists kept in memory after their last miner has gone: for the times the database is away. */
const MOST_KEPT = 10_000;
type KeptLists = LRUCache<string, readonly UpstreamTarget[]>;

/** The list could not be read: tried again after so long. */
const RETRY_MS = 2000;

export class AccountRoute implements WorkRoute {
  own: Route | null = null;
  users = 0;
  readonly ready: Promise<void>;
  private readonly listeners = new Set<() => void>();
  private unsubscribe: () => void = () => undefined;
  /** What to follow is known. */
  private known = false;
  /** Miners waited for it to be known. */
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
  /** Why its miners get no work whatever its pools do, in words for them. */
  get blocked(): string | null {
    if (!this.known) return 'Your upstream pools cannot be read now: please wait';
    const { own } = this;
    return own?.states.every(({ state }) => state === 'unreadable')
      ? 'The passwords of your upstream pools cannot be read: give them again on the page of your account'
      : null;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Reads the list and follows it. One reading at a time: what changes meanwhile is read after it. */
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
          'upstream pools of a sub-account cannot be read',
        );
        if (this.retry) clearTimeout(this.retry);
        const kept = this.kept.get(keyOf(this.account.subAccountId, this.algorithm));
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
    // The first list it learns of is no change of one. Of passwords that cannot be read its route tells.
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
  private readonly kept: KeptLists = new LRUCache({ max: MOST_KEPT });
  private readonly lingering = new Map<AccountRoute, NodeJS.Timeout>();
  private readonly unsubscribe: () => void;
  private stopped = false;

  constructor(private readonly options: AccountRoutesOptions) {
    this.unsubscribe = options.lists.onChange((ids) => {
      for (const id of ids) for (const algorithm of ALGORITHM_NAMES) this.kept.delete(keyOf(id, algorithm));
      for (const route of this.routes.values()) if (ids.includes(route.account.subAccountId)) void route.read();
    });
  }

  /** Shared by all miners of the sub-account. Give it back with `release`. */
  take(algorithm: AlgorithmName, account: MiningAccount): AccountRoute {
    const key = keyOf(account.subAccountId, algorithm);
    const known = this.routes.get(key);
    const route = known ?? new AccountRoute(algorithm, account, this.options, this.kept);
    if (!known) this.routes.set(key, route);
    route.users += 1;
    clearTimeout(this.lingering.get(route));
    this.lingering.delete(route);
    return route;
  }

  /** With its last user it goes, after a while: miners come back, and their failovers are to be remembered. */
  release(route: AccountRoute): void {
    route.users -= 1;
    if (route.users > 0 || this.stopped) return;
    this.lingering.set(
      route,
      setTimeout(() => {
        this.lingering.delete(route);
        this.routes.delete(keyOf(route.account.subAccountId, route.algorithm));
        route.stop();
      }, this.options.limits.lingerMs),
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
    for (const timer of this.lingering.values()) clearTimeout(timer);
    for (const route of this.routes.values()) route.stop();
    this.routes.clear();
  }
}

const keyOf = (subAccountId: number, algorithm: AlgorithmName): string => `${subAccountId} ${algorithm}`;
