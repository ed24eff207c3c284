/** Reads and writes `worker_alert`: the watches kept between runs and across restarts; writes `worker_event`. */
import type { Querier } from '../db/querier';
import type { AlertKind, Watch } from './transitions';

export type KindWatch = Watch & { workerId: number; kind: AlertKind };

export async function readWatches(db: Querier): Promise<Map<number, Map<AlertKind, Watch>>> {
  const { rows } = await db.query<KindWatch>(
    `select worker_id as "workerId", kind, active, told, extract(epoch from since)::float8 as since,
       extract(epoch from clear_since)::float8 as "clearSince", extract(epoch from told_at)::float8 as "toldAt"
     from worker_alert for update`,
  );
  const watches = new Map<number, Map<AlertKind, Watch>>();
  for (const { workerId, kind, ...watch } of rows)
    watches.set(workerId, (watches.get(workerId) ?? new Map<AlertKind, Watch>()).set(kind, watch));
  return watches;
}

export async function writeWatches(
  db: Querier,
  changed: readonly KindWatch[],
  over: readonly Pick<KindWatch, 'workerId' | 'kind'>[],
): Promise<void> {
  if (over.length) {
    await db.query(
      `delete from worker_alert a using unnest($1::int[], $2::text[]) as u(id, kind)
       where a.worker_id = u.id and a.kind = u.kind`,
      [over.map((w) => w.workerId), over.map((w) => w.kind)],
    );
  }
  if (changed.length === 0) return;
  // The join leaves out workers that were deleted meanwhile.
  await db.query(
    `insert into worker_alert (worker_id, kind, since, clear_since, active, told, told_at)
     select u.id, u.kind, to_timestamp(u.since), to_timestamp(u.clear_since), u.active, u.told, to_timestamp(u.told_at)
     from unnest($1::int[], $2::text[], $3::float8[], $4::float8[], $5::bool[], $6::bool[], $7::float8[])
         as u(id, kind, since, clear_since, active, told, told_at)
       join worker w on w.id = u.id
     on conflict (worker_id, kind) do update set since = excluded.since, clear_since = excluded.clear_since,
       active = excluded.active, told = excluded.told, told_at = excluded.told_at`,
    [
      changed.map((w) => w.workerId),
      changed.map((w) => w.kind),
      changed.map((w) => w.since),
      changed.map((w) => w.clearSince),
      changed.map((w) => w.active),
      changed.map((w) => w.told),
      changed.map((w) => w.toldAt),
    ],
  );
}

/** A fault that began, or ended (`_over`). `at`: Unix seconds. */
export type FaultEvent = { workerId: number; kind: AlertKind | `${AlertKind}_over`; at: number };

export async function writeEvents(db: Querier, events: readonly FaultEvent[]): Promise<void> {
  if (events.length === 0) return;
  await db.query(
    `insert into worker_event (worker_id, kind, at)
     select u.id, u.kind, to_timestamp(u.at)
     from unnest($1::int[], $2::text[], $3::float8[]) as u(id, kind, at)
       join worker w on w.id = u.id`,
    [events.map((e) => e.workerId), events.map((e) => e.kind), events.map((e) => e.at)],
  );
}
