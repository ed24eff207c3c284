/** Rate limit: so many of a key in a fixed window of time, in memory. With several processes each allows as many. */
import { LRUCache } from 'lru-cache';
import { networksOf } from '../network-of';

const MAX_KEYS = 50_000;

export class RateLimit {
  private readonly windows = new LRUCache<string, { count: number; until: number }>({ max: MAX_KEYS });

  constructor(
    private readonly max: number,
    private readonly windowMs = 60_000,
  ) {}

  /** Counts one of a key. Returns 0 when it is allowed, else the seconds to wait. */
  take(key: string, max = this.max): number {
    const now = performance.now();
    let window = this.windows.get(key);
    if (!window || window.until <= now) {
      window = { count: 0, until: now + this.windowMs };
      this.windows.set(key, window);
    }
    if (window.count >= max) return Math.ceil((window.until - now) / 1000);
    window.count += 1;
    return 0;
  }

  /** Counts one of each network of an address. `name`: apart from others of the same address. */
  takeFrom(ip: string, name = '', max = this.max): number {
    // The smallest first: what one /64 sends in vain does not count as its site's.
    for (const { network, factor } of networksOf(ip)) {
      const wait = this.take(`${name} ${network}`, max * factor);
      if (wait > 0) return wait;
    }
    return 0;
  }

  /** Takes back one that did not fail. */
  give(key: string): void {
    const window = this.windows.get(key);
    if (window && window.count > 0) window.count -= 1;
  }
}
