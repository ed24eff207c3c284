/** Bans miners that send mostly bad shares, by network and name: others behind the same router keep mining. */
import { LRUCache } from 'lru-cache';
import type { Limits } from '../../wire/limits';

type Record = { results: Uint8Array; next: number; seen: number; bad: number; bannedUntil: number };

/** Records kept; the least recently used are dropped beyond this. */
const MAX_RECORDS = 20_000;

export class Bans {
  private readonly records = new LRUCache<string, Record>({ max: MAX_RECORDS });
  constructor(private readonly limits: Pick<Limits, 'banWindow' | 'banPart' | 'banMs'>) {}

  banned(key: string, now = performance.now()): boolean {
    return (this.records.peek(key)?.bannedUntil ?? -Infinity) > now;
  }

  /** Counts one share; true when it causes a ban. */
  note(key: string, bad: boolean, now = performance.now()): boolean {
    const { banWindow, banPart, banMs } = this.limits;
    const record = this.recordOf(key);
    if (record.seen >= banWindow) record.bad -= record.results[record.next] ?? 0;
    record.results[record.next] = bad ? 1 : 0;
    record.bad += bad ? 1 : 0;
    record.next = (record.next + 1) % banWindow;
    record.seen += 1;
    if (record.seen < banWindow || record.bad < banWindow * banPart) return false;
    // The window is empty after the ban.
    Object.assign(record, { results: new Uint8Array(banWindow), next: 0, seen: 0, bad: 0, bannedUntil: now + banMs });
    return true;
  }

  private recordOf(key: string): Record {
    const known = this.records.get(key);
    if (known) return known;
    const record = { results: new Uint8Array(this.limits.banWindow), next: 0, seen: 0, bad: 0, bannedUntil: -Infinity };
    this.records.set(key, record);
    return record;
  }
}
