import type { Pool, PoolClient } from 'pg';
import { addBuckets, type Bucket, workerKey } from './rollup';
import { updateLastShares, workerIds } from './worker-rows';
import { lockShared, transaction } from '../../platform/db/transaction';
import type { UpstreamDay } from '@pool/shared/api/contract';
import { dayOf } from '../../platform/days';
import { firstRow, sql } from '../../platform/db/querier';

type Sums = Omit<UpstreamDay, 'counted'>;

function sumByDay(buckets: readonly Bucket[], credited: ReadonlySet<Bucket>): Sums[] {
  const days = new Map<string, Sums>();
  for (const bucket of buckets) {
    if (!bucket.taken) continue;
    const day = dayOf(bucket.at);
    for (const [upstream, sum] of bucket.taken) {
      const key = `${day} ${bucket.algorithm} ${upstream}`;
      let row = days.get(key);
      if (!row) {
        row = {
          day,
          algorithm: bucket.algorithm,
          upstream,
          accepted: 0,
          credited: 0,
          acceptedShares: 0,
          creditedShares: 0,
        };
        days.set(key, row);
      }
      row.accepted += sum.accepted;
      row.acceptedShares += sum.acceptedShares;
      if (!credited.has(bucket)) continue;
      row.credited += sum.credited;
      row.creditedShares += sum.creditedShares;
    }
  }
  // Sorted, so that concurrent writers cannot deadlock.
  return [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Adds buckets. `credited`: those of existing accounts; what a deleted account sent is accepted and credited to nobody. */
async function addUpstreamDays(
  client: PoolClient,
  buckets: readonly Bucket[],
  credited: ReadonlySet<Bucket>,
): Promise<void> {
  const rows = sumByDay(buckets, credited);
  if (rows.length === 0) return;
  await client.query(sql`
    insert into upstream_day as t (day, algorithm, upstream, accepted, credited, accepted_shares, credited_shares)
    select day, algorithm, upstream, accepted, credited, "acceptedShares", "creditedShares"
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(
      day date, algorithm text, upstream text, accepted float8, credited float8,
      "acceptedShares" bigint, "creditedShares" bigint)
    on conflict (day, algorithm, upstream) do update set
      accepted = t.accepted + excluded.accepted,
      credited = t.credited + excluded.credited,
      accepted_shares = t.accepted_shares + excluded.accepted_shares,
      credited_shares = t.credited_shares + excluded.credited_shares`);
}

/** Writes chunks of buckets, one transaction each, keyed by (`source`, number). Returns the number of new chunks. */
export async function ingestHistory(pool: Pool, source: string, chunks: Iterable<readonly Bucket[]>): Promise<number> {
  let sequence = 0;
  let counted = 0;
  for (const buckets of chunks) {
    sequence += 1;
    const key = { proxyId: source, sequence };
    if (await transaction(pool, (client) => countBatch(client, key, buckets))) counted += 1;
  }
  return counted;
}

export const MAX_ROWS = 10_000;

type Key = { proxyId: string; sequence: number };
/** `waiting`: accounts of a batch that was counted without them; null: it is new. */
type Batch = { now: number; waiting: number[] | null };

/** Undefined: all of it was counted before. */
async function openBatch(
  client: PoolClient,
  { proxyId, sequence }: Key,
  buckets: readonly Bucket[],
): Promise<Batch | undefined> {
  const oldest = buckets.reduce<number | null>((least, { at }) => Math.min(least ?? at, at), null);
  const made = await firstRow<Batch>(client)`
    insert into ingest_batch (proxy_id, sequence, oldest)
    values (${proxyId}, ${sequence}, to_timestamp(${oldest}::float8))
    on conflict do nothing
    returning extract(epoch from now())::float8 as now, waiting`;
  return (
    made ??
    firstRow<Batch>(client)`
      select extract(epoch from now())::float8 as now, waiting
      from ingest_batch
      where proxy_id = ${proxyId} and sequence = ${sequence} and waiting is not null
      for update`
  );
}

/** What was counted of a batch: `added`, with its `made` workers. `waiting`: accounts to be counted by another call. */
export type Counted = { isNew: boolean; added: readonly Bucket[]; made: Set<string>; waiting: readonly number[] };

/**
 * Adds one batch in the caller's transaction, `rows` in a statement, without the accounts that are `away`: those wait
 * for another call with the same batch. False: all of it was counted before.
 */
export async function countBatch(
  client: PoolClient,
  key: Key,
  all: readonly Bucket[],
  { rows = MAX_ROWS, away = new Set() }: { rows?: number; away?: ReadonlySet<number> } = {},
): Promise<Counted | false> {
  const batch = await openBatch(client, key, all);
  if (!batch) return false;
  const due = batch.waiting ? all.filter(({ subAccountId }) => batch.waiting?.includes(subAccountId)) : all;
  const buckets = due.filter(({ subAccountId }) => !away.has(subAccountId));
  const waiting = [...new Set(due.map(({ subAccountId }) => subAccountId).filter((id) => away.has(id)))];
  if (batch.waiting || waiting.length)
    await client.query(sql`
      update ingest_batch set at = now(), waiting = ${waiting.length ? waiting : null}
      where proxy_id = ${key.proxyId} and sequence = ${key.sequence}`);
  // Until the commit no worker is joined with another (workers/join.ts).
  await lockShared(client, 'counting');
  const { ids, made } = await workerIds(client, buckets, rows);
  // Drop shares of deleted accounts.
  const known = buckets.filter((bucket) => ids.has(workerKey(bucket)));
  await addBuckets(client, known, ids, { now: batch.now, rows });
  await updateLastShares(client, known, ids, rows);
  await addUpstreamDays(client, buckets, new Set(known));
  return { isNew: batch.waiting === null, added: buckets, made, waiting };
}
