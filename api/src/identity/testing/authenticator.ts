/** An authenticator app for tests. Every code it gives is a new one that the service accepts now. */
import { setTimeout } from 'node:timers/promises';
import { totpCode } from '../factors/codes';

const STEP_MS = 30_000;
/** A code is on its way at most this long. */
const ON_ITS_WAY_MS = 5_000;

export class Authenticator {
  private last = 0;

  constructor(private readonly secret: string) {}

  /**
   * From the step before now on, which is accepted too: so that three codes fit into one moment. Near the end of a
   * step it waits for the next one, in which that code is not accepted any more.
   */
  async next(): Promise<string> {
    const left = STEP_MS - (Date.now() % STEP_MS);
    if (left < ON_ITS_WAY_MS) await setTimeout(left);
    this.last = Math.max(this.last + 1, Math.floor(Date.now() / STEP_MS) - 1);
    return totpCode(this.secret, this.last * STEP_MS);
  }
}
