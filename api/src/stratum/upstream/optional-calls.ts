/** Calls that an old or small pool does not know: it refuses them, leaves them unanswered, or ends the connection. */
import { LRUCache } from 'lru-cache';
import type { Link } from './link';
import type { Place } from './upstream-socket';

/** A pool can do without it. */
type OptionalCall = 'mining.configure' | 'mining.suggest_difficulty';

const POOLS = 10_000;
/** Milliseconds until a pool is asked again: it may have been restarted in that moment, or has learned the call. */
const REMEMBERED_MS = 3_600_000;
/** Calls that pools do not know, by pool and call. */
const unknown = new LRUCache<string, true>({ max: POOLS, ttl: REMEMBERED_MS });

/** What one connection calls, or is spared. */
export class OptionalCalls {
  /** The last call that the pool may end the connection for; null: it went on. */
  private doubted: OptionalCall | null = null;
  /** Calls that it is tried without. */
  private readonly without = new Set<OptionalCall>();
  private readonly unanswered = new Set<OptionalCall>();

  constructor(private readonly pool: Place) {}

  begin(): void {
    this.doubted = null;
    this.unanswered.clear();
  }

  offer(link: Link, call: OptionalCall, params: unknown[] | string, done?: (result: unknown) => void): void {
    if (this.without.has(call) || unknown.has(this.key(call))) return;
    this.doubted = call;
    this.unanswered.add(call);
    link.ask(call, params, ({ result, error }) => {
      this.unanswered.delete(call);
      if (error === null) done?.(result);
      else unknown.set(this.key(call), true);
    });
  }

  /** The pool has answered another call since. */
  goesOn(): void {
    this.doubted = null;
  }

  /** The pool ended the connection. Returns whether it may be for a call, which is not made again. */
  blame(): boolean {
    const { doubted } = this;
    this.doubted = null;
    if (doubted) this.without.add(doubted);
    return doubted !== null;
  }

  /** The pool has sent work: what that went without, the following connections are spared. */
  worked(): void {
    this.doubted = null;
    // A suggestion is answered by nobody.
    if (this.unanswered.has('mining.configure')) this.without.add('mining.configure');
    for (const call of this.without) unknown.set(this.key(call), true);
  }

  private key(call: OptionalCall): string {
    return `${this.pool.host}:${this.pool.port} ${call}`;
  }
}
