/** The proxy's upstream pools: which one each miner uses, and the state of each. */
import type { Contract, PoolEvents, SwitchReason } from '@pool/shared/api/contract';
import { ALGORITHM_NAMES, type AlgorithmName } from '@pool/shared/domain';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Bus } from '../../platform/bus';
import { keepTrying } from '../../platform/keep-trying';
import { RateLimit } from '../../platform/limits/rate-limit';
import type { PoolLists, PoolStatus, PoolTarget, PoolTest } from '../ports';
import { type AccountRoute, AccountRoutes, type MiningAccount } from './account-routes';
import { type Limits, LIMITS } from '../wire/limits';
import { Route, type Switch, type WorkRoute } from './route';
import type { FailureWord } from '../upstream/link';
import { UpstreamConnection } from '../upstream/upstream-connection';
import type { UpstreamEvents } from '../upstream/upstream-events';
import type { Outbound } from '../upstream/upstream-socket';
import { UpstreamState } from '../upstream/upstream-state';
import type { UpstreamTarget } from '../upstream/upstream-target';

export type UpstreamStatus = z.output<Contract['GET /upstreams']['response']>[number];
export type UpstreamLists = Partial<Record<AlgorithmName, readonly UpstreamTarget[]>>;
/** A row of `upstream_switch`; null stands for "none works". */
export type SwitchRow = {
  algorithm: string;
  subAccountId: number | null;
  fromUrl: string | null;
  toUrl: string | null;
  why: SwitchReason;
};

/** Where sub-accounts' own pool lists come from, and how to connect to them. */
export type OwnPools = { lists: PoolLists; outbound: Outbound };

/** How often an hour a list's outages are recorded: an upstream that flaps must not fill the table. */
const MAX_OUTAGES_AN_HOUR = 6;
const HOUR_MS = 3_600_000;
const POLL_MS = 10;
const NO_EVENTS = { onChange: () => undefined, isBetter: () => false };

export type UpstreamsOptions = {
  /** Default lists, per algorithm, best first. */
  lists: UpstreamLists;
  own: OwnPools;
  limits: Limits;
  log: Logger;
  bus?: Bus;
  onSwitch?(row: SwitchRow): void;
};

export class Upstreams {
  private readonly routes: Record<AlgorithmName, Route>;
  private readonly accounts: AccountRoutes;
  /** Outages by list. */
  private readonly outages = new RateLimit(MAX_OUTAGES_AN_HOUR, HOUR_MS);

  constructor(private readonly options: UpstreamsOptions) {
    const make = (algorithm: AlgorithmName): Route => this.route(algorithm, null, options.lists[algorithm] ?? []);
    this.routes = Object.fromEntries(ALGORITHM_NAMES.map((name) => [name, make(name)])) as typeof this.routes;
    this.accounts = new AccountRoutes({
      lists: options.own.lists,
      limits: options.limits,
      log: options.log,
      fallback: (algorithm) => this.routes[algorithm],
      make: (algorithm, account, targets) => this.route(algorithm, account, targets),
      onSwitch: (account, happened) => this.switched(account, happened, true),
    });
  }

  /** The route for a miner of this sub-account, until its `release`. */
  take(algorithm: AlgorithmName, account: MiningAccount): AccountRoute {
    return this.accounts.take(algorithm, account);
  }

  defaults(): { state: UpstreamState; priority: string }[] {
    return ALGORITHM_NAMES.flatMap((algorithm) =>
      this.routes[algorithm].states.map((state, index) => ({ state, priority: String(index + 1) })),
    );
  }

  /** The upstream in use of the default list. */
  usual(algorithm: AlgorithmName): UpstreamState | null {
    return this.routes[algorithm].current;
  }

  /** Resolves when the default upstreams have shown what they grant and leave, after `withinMs` at the latest. */
  async seen(withinMs: number): Promise<void> {
    const isKnown = (name: AlgorithmName): boolean => this.usual(name)?.state !== 'standby';
    await keepTrying(withinMs, async () => ALGORITHM_NAMES.every(isKnown), POLL_MS);
  }

  /** State of the upstreams in use, and their connections of `subAccountId`, or of all. */
  status(subAccountId?: number): UpstreamStatus[] {
    return ALGORITHM_NAMES.flatMap((algorithm) => statusOf(this.routeOf(algorithm, subAccountId), subAccountId));
  }

  /** Like `status`; the list of a sub-account without connected miners is read from the database. */
  async statusOfAccount(subAccountId: number): Promise<UpstreamStatus[]> {
    const parts = await Promise.all(
      ALGORITHM_NAMES.map(async (algorithm) => {
        const live = this.accounts.find(subAccountId, algorithm);
        await live?.ready;
        const own = live ? [] : await this.options.own.lists.find(subAccountId, algorithm);
        if (!own) return [];
        const states = own.map(
          (target) => new UpstreamState(target, { limits: this.options.limits, names: {} }, NO_EVENTS),
        );
        return statusOf(states.length ? { current: null, states } : (live ?? this.routes[algorithm]), subAccountId);
      }),
    );
    return parts.flat();
  }

  poolStatus(subAccountId: number): Map<number, PoolStatus> {
    const found = new Map<number, PoolStatus>();
    for (const algorithm of ALGORITHM_NAMES) {
      const own = this.accounts.find(subAccountId, algorithm)?.own;
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

  stop(): void {
    this.accounts.stop();
    for (const algorithm of ALGORITHM_NAMES) this.routes[algorithm].stop();
  }

  private route(algorithm: AlgorithmName, account: MiningAccount | null, targets: readonly UpstreamTarget[]): Route {
    const { limits, own } = this.options;
    const key = `${algorithm} ${account?.subAccountId}`;
    const onSwitch = (happened: Switch): void =>
      this.switched(account, happened, Boolean(happened.from && happened.to) || this.outages.take(key) === 0);
    return new Route(
      {
        algorithm,
        limits,
        outbound: own.outbound,
        names: { account: account?.account },
        onSwitch,
        onState: () => this.publish(account, { algorithm }),
      },
      targets,
    );
  }

  private routeOf(algorithm: AlgorithmName, subAccountId: number | undefined): WorkRoute {
    return (
      (subAccountId === undefined ? undefined : this.accounts.find(subAccountId, algorithm)) ?? this.routes[algorithm]
    );
  }

  private switched(account: MiningAccount | null, { algorithm, from, to, why }: Switch, recorded: boolean): void {
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
    if (recorded) onSwitch?.(row);
  }

  private publish(account: MiningAccount | null, data: PoolEvents['upstream']): void {
    this.options.bus?.publish({
      type: 'upstream',
      ...(account ? { userId: account.userId, data: { account: account.account, ...data } } : { data }),
    });
  }
}

/** What a test says of how its connection ended; of any other end: `refused`. */
const TESTED: Partial<Record<FailureWord, PoolTest>> = { silent: 'timeout', auth_failed: 'auth_failed', closed: 'ok' };

/** Tests a pool up to its first work, ten seconds at most. Never rejects: an address not allowed is `refused`. */
export const poolTester =
  (outbound: Outbound, limits = LIMITS) =>
  (target: PoolTarget): Promise<PoolTest> =>
    new Promise((resolve) => {
      const events: UpstreamEvents = {
        onReady: () => connection.close(),
        onClosed: ({ word }) => resolve(TESTED[word] ?? 'refused'),
      };
      const connection = new UpstreamConnection(target, { limits, outbound }, events);
    });

const seconds = (ms: number | null): number | null => (ms === null ? null : Math.floor(ms / 1000));
const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms * 10) / 10);

/** An upstream that works but is not in use is on standby. */
const shownState = (
  state: UpstreamState,
  route: Pick<WorkRoute, 'current'> | null | undefined,
): UpstreamState['state'] => (state.state === 'active' && state !== route?.current ? 'standby' : state.state);

const statusOf = (route: Pick<WorkRoute, 'current' | 'states'>, subAccountId: number | undefined): UpstreamStatus[] =>
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
    connections: state.minersOf(subAccountId),
  }));
