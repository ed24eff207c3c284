/** Entries of the operator's feeds that the last read did not find, for the admins: one process reads, another shows. */
import type { Contract } from '@pool/shared/api/contract';
import type { Pool } from 'pg';
import type { z } from 'zod';
import { transaction } from '../../platform/db/transaction';
import { type Querier, sql, valueOf, valuesOf } from '../../platform/db/querier';

type UnreadEntry = z.output<Contract['GET /admin/overview']['response']>['unread'][number];
type Entry = UnreadEntry['entry'];
/** `at`: time of the last read. `since`: when each unread entry was first not found. Unix seconds. */
type Read = { at: number; since: Partial<Record<Entry, number>> };

/** A feed that nobody has read for so long is no longer configured. */
const FORGOTTEN_S = 3600;
const nameOf = (feed: string): string => `feed.${feed}`;

/** `found`: each entry of the feed, and whether it could be read. */
export const noteRead = (
  pool: Pool,
  feed: string,
  found: Partial<Record<Entry, boolean>>,
  now: number,
): Promise<void> =>
  transaction(pool, async (client) => {
    const read = await valueOf<Read>(client)`select value from setting where name = ${nameOf(feed)} for update`;
    const before = read?.since ?? {};
    const missing = (Object.keys(found) as Entry[]).filter((entry) => !found[entry]);
    const value: Read = { at: now, since: Object.fromEntries(missing.map((entry) => [entry, before[entry] ?? now])) };
    await client.query(sql`
      insert into setting (name, value) values (${nameOf(feed)}, ${JSON.stringify(value)}) on conflict (name)
      do update set value = excluded.value`);
  });

export async function unreadEntries(db: Querier, now: number): Promise<UnreadEntry[]> {
  const reads = await valuesOf<Read>(db)`select value from setting where name like 'feed.%' order by name`;
  return reads
    .filter(({ at }) => at > now - FORGOTTEN_S)
    .flatMap(({ since }) => Object.entries(since) as [Entry, number][])
    .map(([entry, since]) => ({ entry, since: new Date(since * 1000).toISOString() }));
}
