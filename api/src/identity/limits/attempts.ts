/**
 * Limits of guessing passwords and codes. Failures count per account (by whatever name or address it was called) and
 * place, so that a guesser elsewhere does not lock the owner out. When many places guess at one account, all places it
 * has never signed in from are slowed down and finally refused; known devices are not affected.
 */
import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';
import { networkOf, networksOf } from '../../platform/network-of';
import { errors } from '../errors';
import { SharedRateLimit } from '../../platform/limits/shared-rate-limit';
import { Busy, Semaphore, type Share } from '../../platform/limits/semaphore';

/** Failures in a window: by one place at one account, one address at all, all strangers at one account. */
type Limits = { name: string; ofAPlace: number; ofAnAddress: number; ofStrangers: number; windowMs: number };
export const PASSWORD_LIMITS: Limits = {
  name: 'password',
  ofAPlace: 10,
  ofAnAddress: 30,
  ofStrangers: 100,
  windowMs: 60_000,
};
/** A guess is right once in 300,000 times: at this pace an even chance takes whoever has the password over a year. */
const CODE_LIMITS = { ofAPlace: 10, ofAnAddress: 20, ofStrangers: 20, windowMs: 3_600_000 };
export const APP_CODE_LIMITS: Limits = { name: 'app code', ...CODE_LIMITS };
export const MAILED_CODE_LIMITS: Limits = { name: 'mailed code', ...CODE_LIMITS };
/** Mails with a code, each of which counts. */
export const MAIL_LIMITS: Limits = {
  name: 'mails',
  ofAPlace: 5,
  ofAnAddress: 20,
  ofStrangers: 15,
  windowMs: 3_600_000,
};
/** Delay of a stranger for each wrong one of all strangers beyond those of a place, and its maximum. */
const DELAY_STEP_MS = 50;
const MAX_DELAY_MS = 5000;

/** Limits of password checks, each a tenth of a second of a processor: in all, and per account or address. */
const CHECKS = { atOnce: 1, waiting: 40 };
const CHECKS_OF_AN_ACCOUNT = 4;
const CHECKS_OF_AN_ADDRESS = 16;

/** `known`: id of a device or session of the account itself. */
export type Place = { address: string; known?: string };

export class Attempts {
  private readonly byPlace: SharedRateLimit;
  private readonly byAddress: SharedRateLimit;
  private readonly byStrangers: SharedRateLimit;
  private readonly checks = new Semaphore(CHECKS);

  constructor(
    db: Pool,
    private readonly limits: Limits,
    private readonly pause: (ms: number) => Promise<unknown> = setTimeout,
  ) {
    const limit = (of: string, max: number): SharedRateLimit =>
      new SharedRateLimit(db, `${limits.name} ${of}`, max, limits.windowMs);
    this.byPlace = limit('place', limits.ofAPlace);
    this.byAddress = limit('address', limits.ofAnAddress);
    this.byStrangers = limit('strangers', limits.ofStrangers);
  }

  private keysOf(account: string, { address: ip, known }: Place): (readonly [SharedRateLimit, string, number?])[] {
    if (known) return [[this.byPlace, `${account} known ${known}`]];
    return [
      ...networksOf(ip).map(({ network, factor }) => [this.byAddress, network, factor] as const),
      [this.byPlace, `${account} at ${networkOf(ip)}`],
      [this.byStrangers, account],
    ];
  }

  /** Counts a try, or throws the page's error. Returns how many the last limit, which all strangers share, has counted. */
  async take(account: string, place: Place): Promise<number> {
    let tried = 0;
    // One after the other: what one place tries in vain must not count as tried by all strangers.
    for (const [limit, key, factor] of this.keysOf(account, place)) {
      const { wait, count } = await limit.take(key, factor);
      if (wait) throw errors.tooMany(wait);
      tried = count;
    }
    return tried;
  }

  /** Runs `verify` (true: right password or code) for an account, or throws the page's error. Only failures count. */
  async check(account: string, place: Place, verify: () => Promise<boolean>): Promise<boolean> {
    const tried = await this.take(account, place);
    const over = place.known ? 0 : tried - this.limits.ofAPlace;
    if (over > 0) await this.pause(Math.min(over * DELAY_STEP_MS, MAX_DELAY_MS));
    const right = await this.queued(place.address, verify, [`account ${account}`, CHECKS_OF_AN_ACCOUNT]);
    if (right) for (const [limit, key] of this.keysOf(account, place)) await limit.give(key);
    return right;
  }

  /** Queues work that costs as much as a check. */
  async queued<T>(address: string, work: () => Promise<T>, ...shares: Share[]): Promise<T> {
    try {
      return await this.checks.run([[`address ${networkOf(address)}`, CHECKS_OF_AN_ADDRESS], ...shares], work);
    } catch (error) {
      throw error instanceof Busy ? errors.tooMany(1) : error;
    }
  }
}
