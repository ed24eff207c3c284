/** What happened to an account: the one source of the timeline, of a chart's marks and of the lists of 1.0.0. */
import type { PoolAbility } from '@pool/shared/ability';
import type { Dip, TimelineEntry } from '@pool/shared/api/contract';
import { ALGORITHM_NAMES, type AlgorithmName } from '@pool/shared/domain';
import type { OrganizationRole } from '@pool/shared/roles';
import { TIMELINE_KINDS } from '@pool/shared/timeline';
import { absencesOf, dipsIn } from '../../../accounts/mined-time/mined-time';
import { outagesBetween } from '../../../alerts/outage-log';
import { daysOf } from '../../../mining/shares/charts/charts';
import { switchesBetween } from '../../../mining/upstreams/switches';
import { workerEvents } from '../../../mining/workers/worker-events';
import { DAY_S } from '../../../money/accounting/pay-per-share';
import { priceChanges } from '../../../money/accounting/prices';
import { satsPerHs } from '../../../money/payouts/balance';
import { payoutsSent } from '../../../money/payouts/payments';
import { shortAddress } from '../../../money/wallets/bitcoin-address';
import { recorded } from '../../../platform/audit';
import type { Principal } from '../../auth/principal';
import type { Deps } from '../../context/deps';
import { readableAccounts, readableWorker } from '../../context/readable-accounts';
import { farmEventsFor } from './farm-events';

type Kind = TimelineEntry['kind'];
/**
 * Entries from `since` to before `until` (Unix seconds; infinite: no end), of each kind at least the newest `limit`.
 * `algorithm` left out: all.
 */
export type Asked = {
  userName?: string | undefined;
  algorithm?: AlgorithmName | undefined;
  kinds: readonly Kind[];
  /** The one whose events are wanted. */
  worker?: number | undefined;
  since: number;
  until: number;
  limit: number;
};
type Place = Omit<Asked, 'kinds'> & {
  deps: Deps;
  me: Principal;
  accounts: Awaited<ReturnType<typeof readableAccounts>>;
  algorithms: readonly AlgorithmName[];
};
type Of<K extends Kind> = Extract<TimelineEntry, { kind: K }>;
/** `cause`: the id of the entry that explains it. */
type ExplainedDip = Of<'dip'> & { cause: string | undefined };

/** The list of an account was changed, or a better pool is back: no work is lost by that. */
const HARMLESS: readonly string[] = ['changed', 'returned', 'restored'];
/** A switch explains a dip that begins so much later. */
const LATER_S = 600;
/** Days in which dips are looked for. */
const DIP_DAYS = 7;
/** More in a week explain nothing. */
const MOST_CAUSES = 500;
/** Least part that a price changes by to be in a list of more than a week. */
const NOTABLE_CHANGE = 0.02;
const WEEK_S = 7 * DAY_S;

const outageId = (algorithm: string, at: number): string => `outage-${algorithm}-${at}`;
const offId = (id: number): string => `off-${id}`;
const switchId = (id: number): string => `switch-${id}`;

/** Dips of the last days, oldest first: whose side each was, what explains it, its cost for who may read payments. */
async function explainedDips({ deps, me, userName, accounts, algorithms, since }: Place): Promise<ExplainedDip[]> {
  const { pool } = deps;
  const now = deps.now();
  const days = Math.min(DIP_DAYS, Math.max(1, Math.ceil((now - since) / DAY_S)));
  const absences = await absencesOf(pool, now);
  const ids = idsOf(accounts);
  const found = algorithms.map(async (algorithm) => {
    const { series, shares } = await daysOf(pool, { of: 'accounts', ids, algorithm }, days, now);
    const dips = dipsIn(series, shares, absences);
    if (dips.length === 0) return [];
    const span = { since: series.from, until: Infinity, limit: MOST_CAUSES };
    const outages = await outagesBetween(pool, algorithm, span);
    const switches = await switchesBetween(pool, ids, span, algorithm);
    const off = maySee(me.ability, 'off') ? await farmEventsFor(deps, me, { userName, algorithm, ...span }) : [];
    const earns = me.ability.can('read', 'payments') ? await satsPerHs(pool, accounts, algorithm, now) : undefined;
    return dips.map(({ at, until, missed }): ExplainedDip => {
      const outage = outages.find((one) => one.at < until && (one.until ?? Infinity) > at);
      const lost = switches.find((one) => !HARMLESS.includes(one.why) && one.at >= at - LATER_S && one.at < until);
      const event = off.find(
        (one) => accounts.some(({ name }) => name === one.account) && one.since < until && (one.until ?? Infinity) > at,
      );
      return {
        id: `dip-${algorithm}-${at}`,
        kind: 'dip',
        at,
        until,
        algorithm,
        side: outage ? 'pool' : lost ? 'upstream' : 'miners',
        cause: outage ? outageId(algorithm, outage.at) : lost ? switchId(lost.id) : event && offId(event.id),
        ...(earns === undefined ? {} : { sat: -Math.round((missed / DAY_S) * earns) }),
      };
    });
  });
  return (await Promise.all(found)).flat();
}

/** How the entries of each kind are read. */
const SOURCES: {
  [K in Kind]: (place: Place, dips: readonly ExplainedDip[]) => Promise<Of<K>[]>;
} = {
  outage: async ({ deps, algorithms, ...span }, dips) =>
    byAlgorithm(algorithms, async (algorithm) =>
      (await outagesBetween(deps.pool, algorithm, span)).map((outage) => {
        const id = outageId(algorithm, outage.at);
        return { id, kind: 'outage', algorithm, ...outage, ...costOf(id, dips) };
      }),
    ),
  off: ({ deps, me, algorithms, ...asked }) =>
    byAlgorithm(algorithms, async (algorithm) =>
      (await farmEventsFor(deps, me, { ...asked, algorithm })).map((event) => ({
        id: offId(event.id),
        kind: 'off',
        at: event.since,
        until: event.until,
        algorithm,
        event,
        ...(event.lostSat == null ? {} : { sat: -event.lostSat }),
      })),
    ),
  dip: async ({ me, since, until }, dips) =>
    dips
      .filter((dip) => dip.until > since && dip.at < until)
      // One whose cause the caller may not read is told by itself.
      .filter(({ cause }) => !cause || (cause.startsWith('switch') && !maySee(me.ability, 'switch')))
      .map(({ cause: _, ...dip }) => dip),
  switch: async ({ deps, accounts, algorithm, ...span }, dips) =>
    (await switchesBetween(deps.pool, idsOf(accounts), span, algorithm)).map(({ subAccountId, ...one }) => {
      const id = switchId(one.id);
      return {
        ...one,
        id,
        kind: 'switch',
        ...ofAll(accounts, (account) => account.id === subAccountId),
        ...costOf(id, dips),
      };
    }),
  price: ({ deps, algorithms, since, ...span }) => {
    const until = Math.min(span.until, deps.now());
    const part = deps.now() - since > WEEK_S ? NOTABLE_CHANGE : 0;
    return byAlgorithm(algorithms, async (algorithm) =>
      (await priceChanges(deps.pool, algorithm, { since, until, part })).map((price) => ({
        id: `price-${algorithm}-${price.at}`,
        kind: 'price',
        algorithm,
        ...price,
      })),
    );
  },
  payout: async ({ deps, accounts, ...span }) =>
    (await payoutsSent(deps.pool, idsOf(accounts), span)).map(({ id, subAccountId, at, amountSat }) => ({
      id: `payout-${id}`,
      kind: 'payout',
      at,
      sat: amountSat,
      payment: id,
      ...ofAll(accounts, (account) => account.id === subAccountId),
    })),
  address: async ({ deps, accounts, ...span }) => {
    const of = { subjects: accounts.map(({ name }) => name), actions: ['wallet.change', 'wallet.cancel'] };
    return (await recorded<Address>(deps.pool, of, span)).map(({ id, at, action, subject, after }) => ({
      id: `address-${id}`,
      kind: 'address',
      at,
      change: action === 'wallet.cancel' ? 'cancel' : 'change',
      address: shortAddress(after?.btcAddress ?? ''),
      heldUntil: after?.holdUntil ? Math.floor(Date.parse(after.holdUntil) / 1000) : null,
      ...ofAll(accounts, ({ name }) => name === subject),
    }));
  },
  member: async ({ deps, me, accounts, ...span }) => {
    // An admin reads in the log what happened in another's organization.
    if (accounts.some(({ userId }) => userId !== me.user.id)) return [];
    const of = { subjects: [me.user.userName], actions: MEMBER_CHANGES.map((change) => `organization.${change}`) };
    return (await recorded<Membership>(deps.pool, of, span)).map(({ id, at, action, before, after }) => ({
      id: `member-${id}`,
      kind: 'member',
      at,
      change: MEMBER_CHANGES.find((change) => action.endsWith(change)) ?? 'member',
      name: after?.user ?? before?.user ?? '',
      role: after?.role ?? null,
    }));
  },
  worker: async ({ deps: { pool }, me, worker, ...span }) => {
    if (worker === undefined) return [];
    const events = await workerEvents(pool, await readableWorker(pool, me, worker), span);
    return events.map(({ kind, ...event }) => ({ ...event, kind: 'worker', what: kind }));
  },
};

const idsOf = (accounts: Place['accounts']): number[] => accounts.map(({ id }) => id);
/** The name of an entry's account, where the list is of several. */
const ofAll = (accounts: Place['accounts'], isOf: (account: Place['accounts'][number]) => boolean) => {
  const account = accounts.length > 1 ? accounts.find(isOf)?.name : undefined;
  return account === undefined ? {} : { account };
};

type Address = { btcAddress: string; holdUntil: string | null };
type Membership = { user: string; role: OrganizationRole };
const MEMBER_CHANGES = ['join', 'member', 'leave', 'remove'] as const;

const byAlgorithm = async <Entry>(
  algorithms: readonly AlgorithmName[],
  read: (algorithm: AlgorithmName) => Promise<Entry[]>,
): Promise<Entry[]> => (await Promise.all(algorithms.map(read))).flat();

/** What an entry cost: the dips that it explains. */
function costOf(id: string, dips: readonly ExplainedDip[]): { sat?: number } {
  const costs = dips.flatMap(({ cause, sat }) => (cause === id && sat !== undefined ? [sat] : []));
  return costs.length > 0 ? { sat: costs.reduce((sum, sat) => sum + sat, 0) } : {};
}

const SUBJECTS = { ...TIMELINE_KINDS, worker: 'workers' } as const;
const maySee = (ability: PoolAbility, kind: Kind): boolean => ability.can('read', SUBJECTS[kind]);

/** Kinds of entries that dips are, or say the cost of. */
const OF_DIPS: readonly Kind[] = ['outage', 'dip', 'switch'];

async function placeOf(deps: Deps, me: Principal, asked: Omit<Asked, 'kinds'>): Promise<Place> {
  const accounts = await readableAccounts(deps, me, asked.userName);
  return { ...asked, deps, me, accounts, algorithms: asked.algorithm ? [asked.algorithm] : ALGORITHM_NAMES };
}

/** All that the caller may read of what is asked for, newest first. */
export async function timelineEntries<K extends Kind>(
  deps: Deps,
  me: Principal,
  { kinds, ...asked }: Asked & { kinds: readonly K[] },
): Promise<Of<K>[]> {
  const place = await placeOf(deps, me, asked);
  const seen = kinds.filter((kind) => maySee(me.ability, kind));
  const wantsDips = asked.until > deps.now() - DIP_DAYS * DAY_S && seen.some((kind) => OF_DIPS.includes(kind));
  const dips = wantsDips ? await explainedDips(place) : [];
  const found = await Promise.all(seen.map((kind) => SOURCES[kind](place, dips) as Promise<Of<K>[]>));
  return found.flat().sort(newestFirst);
}

/** Where an entry stands: time, then id. */
export type Point = Pick<TimelineEntry, 'at' | 'id'>;
export const newestFirst = (a: Point, b: Point): number => b.at - a.at || (a.id < b.id ? 1 : -1);

/** All dips of the last day, newest first, those that other entries explain among them. */
export async function dipsOfDay(
  deps: Deps,
  me: Principal,
  asked: Pick<Asked, 'userName' | 'algorithm'>,
): Promise<Dip[]> {
  const now = deps.now();
  const dips = await explainedDips(
    await placeOf(deps, me, { ...asked, since: now - DAY_S, until: Infinity, limit: 1 }),
  );
  return dips.reverse().map(({ at, until, side, sat }) => ({
    at,
    until,
    side,
    ...(sat === undefined ? {} : { lostSat: -sat }),
  }));
}
