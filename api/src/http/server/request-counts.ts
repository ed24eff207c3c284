import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import { LRUCache } from 'lru-cache';

const MAX_ADDRESSES = 5000;

/**
 * Requests by address, for the rate limit. Each is told its own number: the plugin's store gives all the same object,
 * in which those that came within one tick find the last one's number, so that a burst is refused whole.
 */
export class RequestCounts implements FastifyRateLimitStore {
  private readonly counts = new LRUCache<string, { count: number; since: number }>({ max: MAX_ADDRESSES });

  incr(
    address: string,
    done: (error: null, result: { current: number; ttl: number }) => void,
    timeWindow: number,
  ): void {
    const now = Date.now();
    const known = this.counts.get(address);
    const { count, since } = known && known.since + timeWindow > now ? known : { count: 0, since: now };
    this.counts.set(address, { count: count + 1, since });
    done(null, { current: count + 1, ttl: since + timeWindow - now });
  }

  /** Of a route with a limit of its own. */
  child(): RequestCounts {
    return new RequestCounts();
  }
}
