/** Feeds of miners that were sent away to subscribe again with another extranonce; one goes to its own account only. */
import type { AlgorithmName } from '@pool/shared/domain';
import type { WorkFeed } from '../failover/work-feed';
import type { Layout } from '../wire/extranonce';

/** `leave`: gives up its place at the gate and its route. */
export type ReturningFeed = { feed: WorkFeed; layout: Layout; subAccountId: number; leave(): void };

/** Milliseconds until a miner is no longer waited for: software tries again after half a minute at the latest. */
const WAIT_MS = 40_000;

export class Returning {
  private readonly waiting = new Map<string, Map<ReturningFeed, NodeJS.Timeout>>();

  wait(algorithm: AlgorithmName, address: string, returning: ReturningFeed): void {
    const key = `${algorithm} ${address}`;
    const feeds = this.waiting.get(key) ?? new Map<ReturningFeed, NodeJS.Timeout>();
    this.waiting.set(key, feeds);
    const timer = setTimeout(() => {
      this.remove(key, returning);
      end(returning);
    }, WAIT_MS);
    feeds.set(returning, timer);
  }

  /** The layout for the next miner from there; null: nobody is expected. Miners that come at once get one each. */
  next(algorithm: AlgorithmName, address: string): Layout | null {
    const feeds = this.waiting.get(`${algorithm} ${address}`);
    const [first] = feeds ?? [];
    if (!feeds || !first) return null;
    const [returning, timer] = first;
    feeds.delete(returning);
    feeds.set(returning, timer);
    return returning.layout;
  }

  /** The feed of this account with that layout, for good; null when there is none. */
  take(algorithm: AlgorithmName, address: string, subAccountId: number, layout: Layout): ReturningFeed | null {
    const key = `${algorithm} ${address}`;
    for (const [returning, timer] of this.waiting.get(key) ?? []) {
      if (returning.subAccountId !== subAccountId || returning.layout !== layout) continue;
      clearTimeout(timer);
      this.remove(key, returning);
      return returning;
    }
    return null;
  }

  stop(): void {
    for (const feeds of this.waiting.values())
      for (const [returning, timer] of feeds) {
        clearTimeout(timer);
        end(returning);
      }
    this.waiting.clear();
  }

  private remove(key: string, returning: ReturningFeed): void {
    const feeds = this.waiting.get(key);
    feeds?.delete(returning);
    if (feeds?.size === 0) this.waiting.delete(key);
  }
}

function end({ feed, leave }: ReturningFeed): void {
  feed.stop();
  leave();
}
