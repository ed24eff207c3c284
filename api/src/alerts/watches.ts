/** Reads and writes `worker_alert`: the watches kept between runs and across restarts; writes `worker_event`. */
import { type Querier, rowsOf, sql } from '../platform/db/querier';
import type { AlertKind, Watch } from './transitions';

type Key = { workerId: number; subAccountId: number };
export type KindWatch = Watch & Key & { kind: AlertKind };

export async function readWatches(db: Querier): Promise<Map<number, Map<AlertKind, KindWatch>>> {
  const rows = await rowsOf<KindWatch>(db)`
    select worker_id, sub_account_id, kind, active, told, extract(epoch from since)::float8 as since,
      extract(epoch from clear_since)::float8 as clear_since, extract(epoch from told_at)::float8 as told_at
    from worker_alert for update`;
  const watches = new Map<number, Map<AlertKind, KindWatch>>();
  for (const watch of rows) {
    const known = watches.get(watch.workerId) ?? new Map<AlertKind, KindWatch>();
    watches.set(watch.workerId, known.set(watch.kind, watch));
  }
  return watches;
}

export async function writeWatches(
  db: Querier,
  changed: readonly KindWatch[],
  over: readonly Pick<KindWatch, keyof Key | 'kind'>[],
): Promise<void> {
  await db.query(sql`
    delete from worker_alert a
    using json_to_recordset(${JSON.stringify(over)}::json) as u("subAccountId" int, "workerId" int, kind text)
    where a.sub_account_id = u."subAccountId" and a.worker_id = u."workerId" and a.kind = u.kind`);
  // The join leaves out workers that were deleted meanwhile.
  await db.query(sql`
    insert into worker_alert (sub_account_id, worker_id, kind, since, clear_since, active, told, told_at)
    select u."subAccountId", u."workerId", u.kind, to_timestamp(u.since), to_timestamp(u."clearSince"), u.active, u.told,
      to_timestamp(u."toldAt")
    from json_to_recordset(${JSON.stringify(changed)}::json) as u("subAccountId" int, "workerId" int, kind text,
        since float8, "clearSince" float8, active bool, told bool, "toldAt" float8)
      join worker w on w.sub_account_id = u."subAccountId" and w.id = u."workerId"
    on conflict (sub_account_id, worker_id, kind) do update set
      since = excluded.since, clear_since = excluded.clear_since,
      active = excluded.active, told = excluded.told, told_at = excluded.told_at`);
}

/** A fault that began, or ended (`_over`). `at`: Unix seconds. */
export type FaultEvent = Key & { kind: AlertKind | `${AlertKind}_over`; at: number };

export const writeEvents = (db: Querier, events: readonly FaultEvent[]): Promise<unknown> =>
  db.query(sql`
    insert into worker_event (sub_account_id, worker_id, kind, at)
    select u."subAccountId", u."workerId", u.kind, to_timestamp(u.at)
    from json_to_recordset(${JSON.stringify(events)}::json) as u("subAccountId" int, "workerId" int, kind text, at float8)
      join worker w on w.sub_account_id = u."subAccountId" and w.id = u."workerId"`);
