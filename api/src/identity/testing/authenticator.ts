/** An authenticator app for tests. Every code it gives is a new one that the service accepts now. */
import { totpCode } from '../factors/codes';

const STEP_MS = 30_000;

export class Authenticator {
  private last = 0;

  constructor(private readonly secret: string) {}

  /** From the step before now on, which is accepted too: so that three codes fit into one moment. */
  next(): string {
    this.last = Math.max(this.last + 1, Math.floor(Date.now() / STEP_MS) - 1);
    return totpCode(this.secret, this.last * STEP_MS);
  }
}
