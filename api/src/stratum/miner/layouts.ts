/**
 * The layout that a miner gets when it subscribes, before its account is known: by what upstreams left for such miners
 * before, those of the same software at the same address, else by what the default upstream leaves. No account gets
 * less because of another's upstream.
 */
import { LRUCache } from 'lru-cache';
import { type Layout, OwnBytes } from '../wire/extranonce';

const MAX_KINDS = 10_000;
/** Milliseconds in which a miner that was sent away subscribes again. */
const AWAITED_MS = 40_000;
const SEEN_MS = 24 * 3_600_000;

/** `kind`: algorithm, address and software. */
export class Layouts {
  private readonly own = new OwnBytes();
  private readonly awaited = new LRUCache<string, Layout[]>({ max: MAX_KINDS, ttl: AWAITED_MS });
  /** Bytes that were rolled, by account. */
  private readonly seen = new LRUCache<string, Map<number, number>>({ max: MAX_KINDS, ttl: SEEN_MS });

  /** `usual`: bytes to roll at the default upstream. */
  next(kind: string, usual: number): Layout {
    const awaited = this.awaited.get(kind)?.shift();
    if (awaited) return awaited;
    const seen = this.seen.get(kind);
    return { extranonce1: this.own.next(), extranonce2Size: seen ? Math.max(...seen.values()) : usual };
  }

  /** A miner has this layout now. */
  uses(kind: string, subAccountId: number, { extranonce2Size }: Layout): void {
    const seen = this.seen.get(kind) ?? new Map<number, number>();
    this.seen.set(kind, seen.set(subAccountId, extranonce2Size));
  }

  /** A miner was sent away, to subscribe again with this layout. */
  await(kind: string, layout: Layout): void {
    this.awaited.set(kind, [...(this.awaited.get(kind) ?? []), layout]);
  }
}
