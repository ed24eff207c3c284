/** Reads and writes `worker_alert`: the watches kept between runs and across restarts; writes `worker_event`. */
import type { Querier } from '../platform/db/querier';
import type { AlertKind, Watch } from './transitions';

type Key = { workerId: number; subAccountId: number };
export type KindWatch = Watch & Key & { kind: AlertKind };

export async function readWatches(db: Querier): Promise<Map<number, Map<AlertKind, KindWatch>>> {
  const { rows } = await db.query<KindWatch>(
    `select worker_id as "workerId", sub_account_id as "subAccountId", kind, active, told, extract(epoch from since)::float8 as since,
       extract(epoch from clear_since)::float8 as "clearSince", extract(epoch from told_at)::float8 as "toldAt"
     from worker_alert for update`,
  );
  const watches = new Map<number, Map<AlertKind, KindWatch>>();
  for (const watch of rows)
    watches.set(
      watch.workerId,
      (watches.get(watch.workerId) ?? new Map<AlertKind, KindWatch>()).set(watch.kind, watch),
    );
  return watches;
}

const keysOf = (keys: readonly Key[]): [number[], number[]] => [
  keys.map(({ subAccountId }) => subAccountId),
  keys.map(({ workerId }) => workerId),
];

export async function writeWatches(
  db: Querier,
  changed: readonly KindWatch[],
  over: readonly Pick<KindWatch, keyof Key | 'kind'>[],
): Promise<void> {
  if (over.length) {
    await db.query(
      `delete from worker_alert a using unnest($1::int[], $2::int[], $3::text[]) as u(account, id, kind)
       where a.sub_account_id = u.account and a.worker_id = u.id and a.kind = u.kind`,
      [...keysOf(over), over.map((w) => w.kind)],
    );
  }
  if (changed.length === 0) return;
  // The join leaves out workers that were deleted meanwhile.
  await db.query(
    `insert into worker_alert (sub_account_id, worker_id, kind, since, clear_since, active, told, told_at)
     select u.account, u.id, u.kind, to_timestamp(u.since), to_timestamp(u.clear_since), u.active, u.told,
       to_timestamp(u.told_at)
     from unnest($1::int[], $2::int[], $3::text[], $4::float8[], $5::float8[], $6::bool[], $7::bool[], $8::float8[])
         as u(account, id, kind, since, clear_since, active, told, told_at)
       join worker w on w.sub_account_id = u.account and w.id = u.id
     on conflict (sub_account_id, worker_id, kind) do update set
       since = excluded.since, clear_since = excluded.clear_since,
       active = excluded.active, told = excluded.told, told_at = excluded.told_at`,
    [
      ...keysOf(changed),
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
export type FaultEvent = Key & { kind: AlertKind | `${AlertKind}_over`; at: number };

export async function writeEvents(db: Querier, events: readonly FaultEvent[]): Promise<void> {
  if (events.length === 0) return;
  await db.query(
    `insert into worker_event (sub_account_id, worker_id, kind, at)
     select u.account, u.id, u.kind, to_timestamp(u.at)
     from unnest($1::int[], $2::int[], $3::text[], $4::float8[]) as u(account, id, kind, at)
       join worker w on w.sub_account_id = u.account and w.id = u.id`,
    [...keysOf(events), events.map((e) => e.kind), events.map((e) => e.at)],
  );
}
