/** The upstream pools of the proxy: which one a miner works for, and how each is doing. */
import type { Contract, PoolEvents } from '@pool/shared/api/contract';
import { ALGORITHM_NAMES, type AlgorithmName } from '@pool/shared/domain';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Bus } from '../../bus';
import type { PoolLists, PoolStatus, PoolTarget, PoolTest } from '../ports';
import { AccountRoutes, type MiningAccount } from './account-routes';
import { type Limits, Seldom } from '../wire/limits';
import { Route, type Switch, type WorkRoute } from './route';
import { UpstreamConnection, type FailureWord } from '../upstream/upstream-connection';
import type { ProbeTimes } from '../upstream/upstream-probe';
import { type Outbound, together } from '../upstream/upstream-socket';
import type { UpstreamState } from '../upstream/upstream-state';
import type { UpstreamTarget } from '../upstream/upstream-target';

/** One line of `GET /upstreams`. */
export type UpstreamStatus = z.output<Contract['GET /upstreams']['response']>[number];
export type UpstreamLists = Partial<Record<AlgorithmName, readonly UpstreamTarget[]>>;
/** A row of `upstream_switch`; null stands for "none works". `why`: a `SwitchWord`. */
export type SwitchRow = {
  algorithm: string;
  subAccountId: number | null;
  fromUrl: string | null;
  toUrl: string | null;
  why: string;
};

/** How sub-accounts come to pools of their own. */
export type OwnPools = { lists: PoolLists; outbound: Outbound };

/** Times an hour a list is written down to have lost its last upstream, or to have it back: one that flaps alone must not fill the table. */
const OUTAGES_AN_HOUR = 6;
const HOUR_MS = 3_600_000;

export type UpstreamsOptions = {
  /** Default lists, per algorithm, best first. */
  lists: UpstreamLists;
  own?: OwnPools;
  limits: Limits;
  probeTimes?: ProbeTimes;
  log: Logger;
  bus?: Bus;
  /** Writes a switch down. */
  onSwitch?(row: SwitchRow): void;
};

/**
 * A route a miner follows, until it is given back. `blocked`: why it waits, whatever the pools do; in words for it.
 * `isOwn`: it leads to pools of the sub-account's own.
 */
export type Lease = {
  route: WorkRoute;
  ready: Promise<void> | null;
  blocked(): string | null;
  isOwn(): boolean;
  release(): void;
};

export class Upstreams {
  private readonly defaults: Record<AlgorithmName, Route>;
  /** How to reach pools of users. */
  readonly outbound: Outbound | undefined;
  private readonly accounts: AccountRoutes | null;

  constructor(private readonly options: UpstreamsOptions) {
    this.outbound = options.own && together(options.own.outbound);
    const make = (algorithm: AlgorithmName): Route => this.route(algorithm, null, options.lists[algorithm] ?? []);
    this.defaults = Object.fromEntries(ALGORITHM_NAMES.map((name) => [name, make(name)])) as typeof this.defaults;
    this.accounts = options.own
      ? new AccountRoutes({
          lists: options.own.lists,
          limits: options.limits,
          log: options.log,
          fallback: (algorithm) => this.defaults[algorithm],
          make: (algorithm, account, targets) => this.route(algorithm, account, targets),
          onSwitch: (account, happened) => this.switched(account, happened, true),
        })
      : null;
  }

  /** What a miner of this sub-account works down. `ready`: wait for it first. */
  lease(algorithm: AlgorithmName, account: MiningAccount): Lease {
    const { accounts } = this;
    if (!accounts)
      return {
        route: this.defaults[algorithm],
        ready: null,
        blocked: () => null,
        isOwn: () => false,
        release: () => undefined,
      };
    const route = accounts.take(algorithm, account);
    return {
      route,
      ready: route.ready,
      blocked: () => route.blocked,
      isOwn: () => route.own !== null,
      release: () => accounts.release(route),
    };
  }

  /** What the pool's own upstream grants; null before it answered. */
  versionMask(algorithm: AlgorithmName): number | null {
    return this.defaults[algorithm].current?.versionMask ?? null;
  }

  /** Smallest extranonce2 any default upstream of the algorithm gave; null before one answered. */
  extranonceSize(algorithm: AlgorithmName): number | null {
    const sizes = this.defaults[algorithm].states.flatMap((state) => state.extranonceSize ?? []);
    return sizes.length ? Math.min(...sizes) : null;
  }

  /** `connections` counts those of `subAccountId`, or all. With a `subAccountId` that is mining to its own pools: those. */
  status(subAccountId?: number): UpstreamStatus[] {
    return ALGORITHM_NAMES.flatMap((algorithm) => statusOf(this.routeOf(algorithm, subAccountId), subAccountId));
  }

  /** As `status`, but of a sub-account nobody mines for now its list is read. */
  async statusOfAccount(subAccountId: number): Promise<UpstreamStatus[]> {
    const parts = await Promise.all(
      ALGORITHM_NAMES.map(async (algorithm) => {
        const live = this.accounts?.find(subAccountId, algorithm);
        await live?.ready;
        const own = live ? [] : ((await this.options.own?.lists.find(subAccountId, algorithm)) ?? []);
        return own.length
          ? own.map((target, index) => waiting(target, index + 1, own.length))
          : statusOf(live ?? this.defaults[algorithm], subAccountId);
      }),
    );
    return parts.flat();
  }

  poolStatus(subAccountId: number): Map<number, PoolStatus> {
    const found = new Map<number, PoolStatus>();
    for (const algorithm of ALGORITHM_NAMES) {
      const own = this.accounts?.find(subAccountId, algorithm)?.own;
      for (const state of own?.states ?? []) {
        if (state.target.id === undefined) continue;
        found.set(state.target.id, {
          state: shownState(state, own),
          latencyMs: rounded(state.latencyMs),
          lastError: state.lastError,
          lastSwitchAt: seconds(state.lastSwitchAt),
          rejectRate: state.verdicts.rejectRate(),
        });
      }
    }
    return found;
  }

  testPool(target: PoolTarget): Promise<PoolTest> {
    const words: Record<FailureWord, PoolTest> = {
      lost: 'refused',
      misbehaves: 'refused',
      not_allowed: 'refused',
      silent: 'timeout',
      auth_failed: 'auth_failed',
      closed: 'ok',
    };
    return new Promise((resolve) => {
      const nothing = (): void => undefined;
      const connection = new UpstreamConnection(
        target,
        { limits: this.options.limits, outbound: this.outbound },
        {
          onReady: () => connection.close(),
          onDifficulty: nothing,
          onJob: nothing,
          onVersionMask: nothing,
          onClosed: ({ word }) => resolve(words[word]),
        },
      );
    });
  }

  /** Sub-accounts whose lists are looked after now. */
  get accountRoutes(): number {
    return this.accounts?.size ?? 0;
  }

  stop(): void {
    this.accounts?.stop();
    for (const algorithm of ALGORITHM_NAMES) this.defaults[algorithm].stop();
  }

  private route(algorithm: AlgorithmName, account: MiningAccount | null, targets: readonly UpstreamTarget[]): Route {
    const { limits, probeTimes } = this.options;
    const outages = new Seldom(OUTAGES_AN_HOUR, HOUR_MS);
    const onSwitch = (happened: Switch): void =>
      this.switched(account, happened, Boolean(happened.from && happened.to) || outages.take());
    return new Route(
      {
        algorithm,
        limits,
        probeTimes,
        outbound: this.outbound,
        onSwitch,
        onState: () => this.publish(account, { algorithm }),
      },
      targets,
    );
  }

  private routeOf(algorithm: AlgorithmName, subAccountId: number | undefined): WorkRoute {
    return (
      (subAccountId === undefined ? undefined : this.accounts?.find(subAccountId, algorithm)) ??
      this.defaults[algorithm]
    );
  }

  private switched(account: MiningAccount | null, { algorithm, from, to, why }: Switch, written: boolean): void {
    const { log, onSwitch } = this.options;
    const row: SwitchRow = {
      algorithm,
      subAccountId: account?.subAccountId ?? null,
      fromUrl: from?.url ?? null,
      toUrl: to?.url ?? null,
      why,
    };
    log[to ? 'info' : 'warn'](row, to ? 'upstream in use' : 'no upstream works');
    this.publish(account, { algorithm, from: from?.name ?? null, to: to?.name ?? null, why });
    if (written) onSwitch?.(row);
  }

  private publish(account: MiningAccount | null, data: PoolEvents['upstream']): void {
    this.options.bus?.publish({
      type: 'upstream',
      ...(account ? { userId: account.userId, data: { account: account.account, ...data } } : { data }),
    });
  }
}

const seconds = (ms: number | null): number | null => (ms === null ? null : Math.floor(ms / 1000));
const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms * 10) / 10);

/** One that works but does not get the miners is on standby. */
const shownState = (state: UpstreamState, route: WorkRoute | null | undefined): UpstreamState['state'] =>
  state.state === 'active' && state !== route?.current ? 'standby' : state.state;

const statusOf = (route: WorkRoute, subAccountId: number | undefined): UpstreamStatus[] =>
  route.states.map((state, index, list) => ({
    algorithm: state.target.algorithm,
    name: state.target.name,
    url: state.target.url,
    state: shownState(state, route),
    priority: index + 1,
    of: list.length,
    latencyMs: rounded(state.latencyMs),
    lastSwitchAt: seconds(state.lastSwitchAt),
    lastSwitchWhy: state.lastSwitchWhy,
    connections: state.connectionsOf(subAccountId),
  }));

const waiting = ({ algorithm, name, url, password }: PoolTarget, priority: number, of: number): UpstreamStatus => ({
  algorithm,
  name,
  url,
  state: password === null ? 'unreadable' : 'standby',
  priority,
  of,
  latencyMs: null,
  lastSwitchAt: null,
  lastSwitchWhy: null,
  connections: 0,
});
