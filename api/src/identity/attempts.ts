/**
 * How often a password may be tried. Failures count per account (whatever name or address it was called by) and place:
 * somebody who guesses from elsewhere does not lock the owner out. Where many places guess at one account, all that it
 * has never signed in from are slowed down, and at last refused; devices it has signed in from pass.
 */
import { setTimeout } from 'node:timers/promises';
import { errors } from './errors';
import { Limiter } from './limiter';
import { Busy, Turns, type Share } from './turns';

/** Wrong passwords a minute: of a place at one account, of an address at all accounts, of all strangers at one account. */
const OF_A_PLACE = 10;
const OF_AN_ADDRESS = 30;
const OF_STRANGERS = 100;
/** A stranger waits so long for each wrong password of strangers above what one place may give. */
const SLOWER_MS = 50;
const SLOWEST_MS = 5000;

/** Checks at once, and waiting; how many of them one account, or one address, may have. A check takes a processor for a tenth of a second. */
const TURNS = { atOnce: 1, waiting: 40 };
const TURNS_OF_AN_ACCOUNT = 4;
const TURNS_OF_AN_ADDRESS = 16;

/** `known`: a device or session of the account itself, by its id. */
export type Place = { address: string; known?: string };

export class PasswordAttempts {
  private readonly byPlace = new Limiter(OF_A_PLACE);
  private readonly byAddress = new Limiter(OF_AN_ADDRESS);
  private readonly byStrangers = new Limiter(OF_STRANGERS);
  private readonly turns = new Turns(TURNS);

  constructor(private readonly pause: (ms: number) => Promise<unknown> = setTimeout) {}

  /** Runs `verify` (true: the password is right) for an account, or throws what the pages show. Only failures count. */
  async check(account: string, { address, known }: Place, verify: () => Promise<boolean>): Promise<boolean> {
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
    const over = known ? 0 : this.byStrangers.count(account) - OF_A_PLACE;
    if (over > 0) await this.pause(Math.min(over * SLOWER_MS, SLOWEST_MS));
    const right = await this.inTurn(address, verify, [`account ${account}`, TURNS_OF_AN_ACCOUNT]);
    if (right) for (const [limiter, key] of keys) limiter.give(key);
    return right;
  }

  /** Work that costs as much as a check, for somebody at an address. */
  async inTurn<T>(address: string, work: () => Promise<T>, ...shares: Share[]): Promise<T> {
    try {
      return await this.turns.run([[`address ${address}`, TURNS_OF_AN_ADDRESS], ...shares], work);
    } catch (error) {
      throw error instanceof Busy ? errors.tooMany(1) : error;
    }
  }
}
