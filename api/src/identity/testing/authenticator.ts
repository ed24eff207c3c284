/** An authenticator app for tests. Every code it gives is a new one that the service accepts now. */
import { setTimeout } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';

const STEP_MS = 30_000;
/** A code reaches the server within this time. */
const MAX_DELAY_MS = 5_000;

/** The code of the app at `timestamp`, Unix milliseconds. */
export const totpCode = (secret: string, timestamp: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

export class Authenticator {
  private last = 0;

  constructor(private readonly secret: string) {}

  /**
   * The server accepts the codes of the current step, the one before and the one after, each once. Waits only when all
   * of them are used: for the next step.
   */
  async next(): Promise<string> {
    this.last = Math.max(this.last + 1, Math.floor((Date.now() + MAX_DELAY_MS) / STEP_MS) - 1);
    const acceptedFrom = (this.last - 1) * STEP_MS;
    if (acceptedFrom > Date.now()) await setTimeout(acceptedFrom - Date.now());
    return totpCode(this.secret, this.last * STEP_MS);
  }
}
