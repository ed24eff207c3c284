/** The upstream list of each sub-account with connected miners: its own pools, or the default list. */
import { ALGORITHMS, type AlgorithmName } from '@pool/shared/domain';
import type { Logger } from 'pino';
import { sharedRead } from '../../platform/db/shared-read';
import type { PoolLists } from '../ports';
import type { Limits } from '../wire/limits';
import type { Route, Switch, WorkRoute } from './route';
import type { UpstreamState } from '../upstream/upstream-state';
import type { UpstreamTarget } from '../upstream/upstream-target';

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

/** Retry delay after a list could not be read. */
const RETRY_MS = 2000;

/** Shared by all miners of a sub-account. Wait for `ready` before using it. */
export class AccountRoute implements WorkRoute {
  /** The route over the sub-account's own pools. */
  own: Route | null = null;
  readonly ready: Promise<void>;
  private users = 0;
  private expiry: NodeJS.Timeout | undefined;
  private readonly listeners = new Set<() => void>();
  private unsubscribe: () => void = () => undefined;
  /** A list has been read or taken from what was read before. */
  private known = false;
  /** Reading failed before any list was known, so miners had to wait. */
  private waited = false;
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    readonly algorithm: AlgorithmName,
    readonly account: MiningAccount,
    private readonly options: AccountRoutesOptions,
    private readonly onStop: () => void,
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

  /** Another miner uses the route, until it calls `release`. */
  take(): this {
    this.users += 1;
    clearTimeout(this.expiry);
    return this;
  }

  /** Stops the route some time after its last user: miners reconnect, and its failover history is needed then. */
  release(): void {
    this.users -= 1;
    if (this.users > 0 || this.stopped) return;
    this.expiry = setTimeout(() => this.stop(), this.options.limits.routeKeptMs);
  }

  /** Reads the list and applies it; a change during a read starts another. */
  read(): Promise<void> {
    return sharedRead(this, 'list', () => this.readNow());
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.expiry);
    clearTimeout(this.retry);
    this.unsubscribe();
    this.own?.stop();
    this.onStop();
  }

  private async readNow(): Promise<void> {
    const { lists, log } = this.options;
    const { subAccountId } = this.account;
    clearTimeout(this.retry);
    try {
      const targets = await lists.find(subAccountId, this.algorithm);
      // The miners of an account that was just closed go on where they are until they are disconnected.
      if (targets && !this.stopped) this.apply(targets);
    } catch (error) {
      log.warn({ err: error, subAccountId }, 'upstream pools of a sub-account cannot be read; it is retried');
      if (this.stopped) return;
      const before = this.known ? null : lists.known?.(subAccountId, this.algorithm);
      if (before) this.apply(before);
      this.waited = !this.known;
      this.retry = setTimeout(() => void this.read(), RETRY_MS);
    }
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
  private readonly unsubscribe: () => void;

  constructor(private readonly options: AccountRoutesOptions) {
    this.unsubscribe = options.lists.onChange((ids) => {
      for (const route of this.routes.values()) if (ids.includes(route.account.subAccountId)) void route.read();
    });
  }

  take(algorithm: AlgorithmName, account: MiningAccount): AccountRoute {
    const key = keyOf(account.subAccountId, algorithm);
    const route =
      this.routes.get(key) ?? new AccountRoute(algorithm, account, this.options, () => this.routes.delete(key));
    this.routes.set(key, route);
    return route.take();
  }

  find(subAccountId: number, algorithm: AlgorithmName): AccountRoute | undefined {
    return this.routes.get(keyOf(subAccountId, algorithm));
  }

  stop(): void {
    this.unsubscribe();
    for (const route of this.routes.values()) route.stop();
  }
}

const keyOf = (subAccountId: number, algorithm: AlgorithmName): string => `${subAccountId} ${algorithm}`;
