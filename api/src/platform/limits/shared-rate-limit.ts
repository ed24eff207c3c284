/** Rate limit in the database, for all processes. Call it outside of transactions: it counts what they take back. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { networksOf } from '../network-of';
import { firstRow, sql } from '../db/querier';

const MAX_KEYS = 50_000;
const CLEAN_MS = 10_000;
const MAX_FULL = 10_000;

/** What was tried is a name, an address or, in the wrong field, a password: none is stored. */
const hashOf = (key: string): string => createHash('sha256').update(`attempt ${key}`).digest('base64url');

export class SharedRateLimit {
  private cleanedAt = -Infinity;
  /** Networks that have used up theirs, and until when: a flood of theirs costs the database nothing. */
  private readonly full = new LRUCache<string, number>({ max: MAX_FULL });

  constructor(
    private readonly db: Pool,
    /** Apart from other limits of the same keys. */
    private readonly name: string,
    private readonly max: number,
    private readonly windowMs = 60_000,
    private readonly maxKeys = MAX_KEYS,
  ) {}

  /** Counts one attempt. `factor`: multiplies the key's limit. `wait`: seconds, 0 when allowed. `count`: in this window. */
  async take(key: string, factor = 1): Promise<{ wait: number; count: number }> {
    const max = this.max * factor;
    await this.clean();
    const hash = hashOf(`${this.name} ${key}`);
    const seconds = this.windowMs / 1000;
    const row = await firstRow<{ wait: number; count: number }>(this.db)`
      with taken as (
        insert into attempt as a (key, count, until) values (${hash}, 1, now() + make_interval(secs => ${seconds}))
        on conflict (key) do update
        set count = case when a.until > now() then a.count else 0 end + 1,
            until = case when a.until > now() then a.until else excluded.until end
        where a.count < ${max} or a.until <= now()
        returning count)
      select 0 as wait, count from taken
      union all
      select greatest(1, ceil(extract(epoch from until - now())))::int, count from attempt
      where key = ${hash} and not exists (select from taken)`;
    // Not there when others filled the window at this moment.
    return row ?? { wait: seconds, count: max };
  }

  /** Counts one of each network of an address. Returns the seconds to wait. */
  async takeFrom(ip: string): Promise<number> {
    for (const { network, factor } of networksOf(ip)) {
      const left = (this.full.get(network) ?? 0) - performance.now();
      if (left > 0) return Math.ceil(left / 1000);
      const { wait } = await this.take(network, factor);
      if (wait === 0) continue;
      this.full.set(network, performance.now() + wait * 1000);
      return wait;
    }
    return 0;
  }

  /** Takes back an attempt that did not fail. */
  async give(key: string): Promise<void> {
    const hash = hashOf(`${this.name} ${key}`);
    await this.db.query(sql`update attempt set count = count - 1 where key = ${hash} and count > 0`);
  }

  /** Drops windows that are over, and the first to end of too many. */
  private async clean(): Promise<void> {
    const now = performance.now();
    if (now - this.cleanedAt < CLEAN_MS) return;
    this.cleanedAt = now;
    await this.db.query(sql`delete from attempt where key in (
      select key from attempt
      where until <= greatest(now(), (select until from attempt order by until desc offset ${this.maxKeys} limit 1))
      for update skip locked)`);
  }
}
