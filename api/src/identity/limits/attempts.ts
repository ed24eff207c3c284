/**
 * Limits of guessing passwords and codes. Failures count per account (by whatever name or address it was called) and
 * place, so that a guesser elsewhere does not lock the owner out. When many places guess at one account, all places it
 * has never signed in from are slowed down and finally refused; known devices are not affected.
 */
import { networkOf } from '../../network-of';
import { setTimeout } from 'node:timers/promises';
import { errors } from '../errors';
import { Limiter } from './limiter';
import { Busy, Turns, type Share } from './turns';

/**
 * Wrong ones in a window: from one place at one account, from one address at all accounts, from all strangers at one
 * account.
 */
type Limits = { ofAPlace: number; ofAnAddress: number; ofStrangers: number; windowMs: number };
export const PASSWORD_LIMITS: Limits = { ofAPlace: 10, ofAnAddress: 30, ofStrangers: 100, windowMs: 60_000 };
/** A guess is right once in 300,000 times: at this pace an even chance takes whoever has the password over a year. */
export const CODE_LIMITS: Limits = { ofAPlace: 10, ofAnAddress: 20, ofStrangers: 20, windowMs: 3_600_000 };
/** Delay of a stranger for each wrong one of all strangers beyond those of a place, and its maximum. */
const DELAY_STEP_MS = 50;
const MAX_DELAY_MS = 5000;

/**
 * Password checks at once and waiting, and the share of one account or address. A check keeps a processor busy for a
 * tenth of a second.
 */
const TURNS = { atOnce: 1, waiting: 40 };
const TURNS_OF_AN_ACCOUNT = 4;
const TURNS_OF_AN_ADDRESS = 16;

/** `known`: id of a device or session of the account itself. */
export type Place = { address: string; known?: string };

export class Attempts {
  private readonly byPlace: Limiter;
  private readonly byAddress: Limiter;
  private readonly byStrangers: Limiter;
  private readonly turns = new Turns(TURNS);

  constructor(
    private readonly limits: Limits,
    private readonly pause: (ms: number) => Promise<unknown> = setTimeout,
  ) {
    this.byPlace = new Limiter(limits.ofAPlace, limits.windowMs);
    this.byAddress = new Limiter(limits.ofAnAddress, limits.windowMs);
    this.byStrangers = new Limiter(limits.ofStrangers, limits.windowMs);
  }

  /** Runs `verify` (true: right password or code) for an account, or throws the page's error. Only failures count. */
  async check(account: string, { address: ip, known }: Place, verify: () => Promise<boolean>): Promise<boolean> {
    const address = networkOf(ip);
    const keys: [Limiter, string][] = known
      ? [[this.byPlace, `${account} known ${known}`]]
      : [
          [this.byAddress, address],
          [this.byPlace, `${account} at ${address}`],
          [this.byStrangers, account],
        ];
    for (const [limiter, key] of keys) {
      const wait = limiter.take(key);
      if (wait) throw errors.tooMany(wait);
    }
    const over = known ? 0 : this.byStrangers.count(account) - this.limits.ofAPlace;
    if (over > 0) await this.pause(Math.min(over * DELAY_STEP_MS, MAX_DELAY_MS));
    const right = await this.inTurn(ip, verify, [`account ${account}`, TURNS_OF_AN_ACCOUNT]);
    if (right) for (const [limiter, key] of keys) limiter.give(key);
    return right;
  }

  /** Queues work that costs as much as a check. */
  async inTurn<T>(address: string, work: () => Promise<T>, ...shares: Share[]): Promise<T> {
    try {
      return await this.turns.run([[`address ${networkOf(address)}`, TURNS_OF_AN_ADDRESS], ...shares], work);
    } catch (error) {
      throw error instanceof Busy ? errors.tooMany(1) : error;
    }
  }
}
