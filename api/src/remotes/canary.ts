/**
 * Judges canaries beside the current version; a user is a site (/24 or /48) and an account, as one person may have many
 * of both.
 */
import { p95 as percentile95, type ClientReport } from './figures';
import type { Pointer } from './pointers';

/** Mounts of one user that count, however many he has: his errors count by their share of all his mounts. */
const OF_A_USER = 3;
/** Users of each version below which nothing is decided by users. */
export const LEAST_USERS = 10;
/** Mounts of each version below which nothing is decided by mounts: they are of ten users at least. */
export const LEAST_MOUNTS = LEAST_USERS * OF_A_USER;
/** Users who cannot take a canary back together. */
const FEW_USERS = 4;
/** Standard errors between two shares that are no chance, although it is looked at after each report. */
const CLEARLY = 4;
/** Standard errors, or parts of the whole, by which a share may be above the other one's and is as good all the same. */
const AS_GOOD = 1;
const AS_GOOD_PART = 0.01;
/** Standard errors by which fewer users tell of a canary than have it, which is silence. */
const SILENT = 2;
const SLOWER_MS = 1_000;
/** The last times of a version that are compared. */
const TIMES = 1_000;
const MINUTE_MS = 60_000;

/** A part of a whole. `weight`: what one user can add to both. */
type Share = { part: number; whole: number; weight: number };

/** How many standard errors the share of `a` is above that of `b`; NaN where both shares are 0, or both are 1. */
function above(a: Share, b: Share): number {
  const pooled = (a.part + b.part) / (a.whole + b.whole);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / a.whole + 1 / b.whole));
  return (a.part / a.whole - b.part / b.whole) / error;
}
const isKnown = ({ whole, weight }: Share): boolean => whole >= LEAST_USERS * weight;
const isWorse = (canary: Share, current: Share): boolean =>
  isKnown(canary) && isKnown(current) && canary.part > FEW_USERS * canary.weight && above(canary, current) > CLEARLY;
const isAsGood = (canary: Share, current: Share): boolean =>
  isKnown(canary) &&
  isKnown(current) &&
  (above(canary, current) <= AS_GOOD || canary.part / canary.whole - current.part / current.whole <= AS_GOOD_PART);

const p95 = (times: readonly number[]): number => percentile95(times) ?? 0;
const percent = ({ part, whole }: Share): string => `${Math.round((part / whole) * 100)} %`;

const errorsIn = ({ mounts, users }: Record<'mounts' | 'users', Share>): string =>
  `in ${percent(mounts)} of ${mounts.whole} mounts, at ${percent(users)} of ${users.whole} users`;

type Compared = Required<Pick<Pointer, 'version' | 'canary'>>;

class Side {
  private readonly users = new Map<string, { mounts: number; faulty: number; timed: number }>();
  private readonly times: number[] = [];

  take(site: string, times: readonly (number | null)[], faulty: number): void {
    const user = this.users.get(site) ?? { mounts: 0, faulty: 0, timed: 0 };
    this.users.set(site, user);
    user.mounts += times.length;
    user.faulty += faulty;
    for (const ms of times)
      if (ms !== null && (user.timed += 1) <= OF_A_USER && this.times.push(ms) > TIMES) this.times.shift();
  }

  /** Errors by mounts and by users, and mounts without a time: given up, or in a tab that was hidden. */
  shares(): Record<'mounts' | 'users' | 'untimed', Share> {
    const mounts = { part: 0, whole: 0, weight: OF_A_USER };
    const users = { part: 0, whole: 0, weight: 1 };
    const untimed = { ...mounts };
    for (const user of this.users.values()) {
      // Errors may be told before their mount.
      if (user.mounts === 0) continue;
      const counted = Math.min(user.mounts, OF_A_USER);
      mounts.whole += counted;
      mounts.part += (counted * Math.min(user.faulty, user.mounts)) / user.mounts;
      untimed.whole += counted;
      untimed.part += (counted * (user.mounts - user.timed)) / user.mounts;
      users.whole += 1;
      users.part += user.faulty > 0 ? 1 : 0;
    }
    return { mounts, users, untimed };
  }

  p95(): number {
    return p95(this.times);
  }

  slowerThan(limit: number): Share {
    return { part: this.times.filter((ms) => ms > limit).length, whole: this.times.length, weight: OF_A_USER };
  }
}

export type Verdict = { what: 'rollback' | 'promote'; why: string };

/** The mounts of a remote's canary and of its current version since the canary began. */
export class Comparison {
  private readonly current = new Side();
  private readonly canary = new Side();
  /** The site of each account's first report: elsewhere it is the same user, as all accounts of one site are. */
  private readonly sites = new Map<number, string>();

  /** Networks and accounts that told of the canary, as a proxy that is not trusted makes one network of all. */
  private readonly told = { sites: new Set<string>(), accounts: new Set<number>() };

  /** `pointer`: the time after which it is promoted may change meanwhile. `since`: ms of the canary's beginning. */
  constructor(
    public pointer: Compared,
    private readonly since: number,
  ) {}

  /** Whether it is about the same versions, for as many users. */
  isOf({ version, canary }: Compared): boolean {
    const { version: current, canary: known } = this.pointer;
    return current === version && known.version === canary.version && known.percent === canary.percent;
  }

  /** What is known, and what it waits for. */
  state(): string {
    const [canary, current] = [this.canary.shares(), this.current.shares()];
    const { sites, accounts } = this.told;
    const about = ({ mounts, users }: typeof canary): string =>
      mounts.whole === 0 ? 'nobody told' : errorsIn({ mounts, users });
    const missing = Math.max(0, LEAST_USERS - Math.min(canary.users.whole, current.users.whole));
    const few = accounts.size > sites.size ? `, ${accounts.size} accounts at ${sites.size} networks` : '';
    const waits =
      missing > 0
        ? `no verdict before ${LEAST_USERS} users of each version, and those of one network are one: is the proxy in TRUSTED_PROXIES?`
        : 'no clear difference';
    return `canary ${this.pointer.canary.version}: ${about(canary)}${few}; ${this.pointer.version}: ${about(current)}; ${waits}`;
  }

  /** `version`: which the server gives to this user; reports of another count for nothing. */
  take(
    { site, account }: { site: string; account: number },
    name: string,
    version: string,
    { mounts, errors }: ClientReport,
  ): void {
    const isCanary = version === this.pointer.canary.version;
    const side = isCanary ? this.canary : this.current;
    if (isCanary) {
      this.told.sites.add(site);
      this.told.accounts.add(account);
    }
    const isOwn = (about: { remote: string | null; version: string | null }) =>
      about.remote === name && about.version === version;
    const first = this.sites.get(account) ?? site;
    this.sites.set(account, first);
    const faulty = errors.filter(isOwn).reduce((sum, { faultyMounts }) => sum + faultyMounts, 0);
    side.take(
      first,
      mounts.filter(isOwn).map(({ ms }) => ms),
      faulty,
    );
  }

  /** Whether fewer users tell of the canary than it was given to: what they do not tell of is not known to be good. */
  private isSilent(canary: number, current: number): boolean {
    const share = this.pointer.canary.percent / 100;
    const all = canary + current;
    return canary < all * share - SILENT * Math.sqrt(all * share * (1 - share));
  }

  /** Null: not yet, or never without more data. `now`: ms. */
  verdict(now: number): Verdict | null {
    const { version, canary: asked } = this.pointer;
    const [canary, current] = [this.canary.shares(), this.current.shares()];
    const limit = Math.max(this.current.p95() * 2, this.current.p95() + SLOWER_MS);
    const slow = [this.canary.slowerThan(limit), this.current.slowerThan(limit)] as const;
    const errors = `errors ${errorsIn(canary)}; ${version}: ${errorsIn(current)}`;
    if (isWorse(canary.mounts, current.mounts) || isWorse(canary.users, current.users))
      return { what: 'rollback', why: errors };
    if (isWorse(...slow))
      return {
        what: 'rollback',
        why: `95 % of ${slow[0].whole} mounts within ${this.canary.p95()} ms; ${version}: ${this.current.p95()} ms of ${slow[1].whole}`,
      };
    const isOver = asked.auto !== undefined && now >= this.since + asked.auto * MINUTE_MS;
    if (!isOver || this.isSilent(canary.users.whole, current.users.whole) || !isAsGood(...slow)) return null;
    for (const measure of ['mounts', 'users', 'untimed'] as const)
      if (!isAsGood(canary[measure], current[measure])) return null;
    return { what: 'promote', why: `as good as ${version} after ${asked.auto} min: ${errors}` };
  }
}
