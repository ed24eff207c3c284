/** Calls that an old or small pool does not know: it refuses them, leaves them unanswered, or ends the connection. */
import type { Link } from './link';

/** A pool can do without it. */
export type OptionalCall =
  | 'mining.configure'
  | 'mining.extranonce.subscribe'
  | 'mining.suggest_difficulty'
  /** That of a second name. */
  | 'mining.authorize';

/** Milliseconds until a pool is asked again: it may have been restarted in that moment, or has learned the call. */
const SPARED_MS = 3_600_000;
/** The same where it had granted the call before. */
const GRANTED_MS = 60_000;

/** What one account's pool is known to do without. */
export class Spared {
  private readonly until = new Map<OptionalCall, number>();
  private readonly granted = new Set<OptionalCall>();

  has(call: OptionalCall, now = performance.now()): boolean {
    return (this.until.get(call) ?? 0) > now;
  }
  spare(call: OptionalCall, now = performance.now()): void {
    this.until.set(call, now + (this.granted.has(call) ? GRANTED_MS : SPARED_MS));
  }
  grant(call: OptionalCall): void {
    this.granted.add(call);
    this.until.delete(call);
  }
}

/** What one connection calls, or is spared. */
export class OptionalCalls {
  /** The last call that the pool may end the connection for; null: it went on. */
  private doubted: OptionalCall | null = null;
  private asksMask = false;
  /** Spared until it has sent work: a pool that ends every connection is down. */
  private readonly without = new Set<OptionalCall>();

  constructor(private readonly spared: Spared) {}

  begin(): void {
    this.doubted = null;
    this.asksMask = false;
  }

  /** Returns whether the call was made. `done`: with false where it was refused. */
  offer(link: Link, call: OptionalCall, params: unknown[] | string, done?: (result: unknown) => void): boolean {
    if (this.without.has(call) || this.spared.has(call)) return false;
    this.doubted = call;
    if (call === 'mining.configure') this.asksMask = true;
    link.ask(call, params, ({ result, error }) => {
      if (call === 'mining.configure') this.asksMask = false;
      const isRefused = error !== null || result === false;
      this.spared[isRefused ? 'spare' : 'grant'](call);
      done?.(isRefused ? false : result);
    });
    return true;
  }

  /** It was granted, and then not kept to. */
  refused(call: OptionalCall): void {
    this.spared.spare(call);
  }

  /** The pool has taken a share. */
  goesOn(): void {
    this.doubted = null;
  }

  /** The pool ended the connection, before it had work or after it. Returns whether it may be for a call. */
  blame(hasWorked: boolean): boolean {
    const { doubted } = this;
    this.doubted = null;
    if (!doubted) return false;
    if (hasWorked) this.spared.spare(doubted);
    else this.without.add(doubted);
    return true;
  }

  /** The pool has sent work: what that went without, the following connections are spared. */
  worked(): void {
    // A suggestion is answered by nobody.
    if (this.asksMask) this.spared.spare('mining.configure');
    for (const call of this.without) this.spared.spare(call);
  }
}
