import { ERROR, type ErrorCode } from '../wire/protocol';

/** So many refused shares of the upstream are made up for by every second share; more by each. */
const PATIENCE = 8;

/**
 * What an upstream did not count of its shares, among those that mined beside them: a share that it refuses is the
 * proof of much work that was credited share by share, and that it does not pay. Following shares are refused for it
 * until that is made up for, so that credit is what the upstream counted, within chance (docs/adr/0005-stratum.md).
 */
export class Dues {
  private owed = 0;
  private most = 0;
  private code: ErrorCode = ERROR.other;
  private spared = false;

  /** `counted`: what the upstream would have counted; `credit`: what the share's own miner goes without. */
  refused(counted: number, credit: number, code: ErrorCode): void {
    this.owed += Math.max(0, counted - credit);
    this.most = PATIENCE * counted;
    this.code = code;
  }

  /** Why a share of this credit is refused; null: it is not. */
  takes(credit: number): ErrorCode | null {
    if (this.owed <= 0) return null;
    this.spared = !this.spared && this.owed < this.most;
    if (this.spared) return null;
    this.owed -= credit;
    return this.code;
  }
}
