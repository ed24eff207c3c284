/** Checks all workers: which have a fault, which recovered, and the notifications for their owners. */
import { ALGORITHM_NAMES, type AlgorithmName, hashrateOfWork } from '@pool/shared/domain';
import type { Note } from '../messages/notifications';
import { type Querier, rowsOf, sql } from '../platform/db/querier';
import { activeUsers, type Facts, isGoing, seenOf, type Told, workerFacts } from './facts';
import { followEvents } from './farm-events';
import { outageNow, type PoolState } from './outage';
import { advance, ALERT_KINDS, type AlertKind, isOver, NOTHING, WAIT_S, type Watch, watchIn } from './transitions';

const MAX_NAMES = 10;

export type Healthy = (algorithm: AlgorithmName) => boolean;

type Key = { workerId: number; subAccountId: number };
type KindWatch = Watch & Key & { kind: AlertKind };

async function readWatches(db: Querier): Promise<Map<number, Map<AlertKind, KindWatch>>> {
  const rows = await rowsOf<KindWatch>(db)`
    select worker_id, sub_account_id, kind, ${watchIn('a')} from worker_alert a`;
  const watches = new Map<number, Map<AlertKind, KindWatch>>();
  for (const watch of rows) {
    const known = watches.get(watch.workerId) ?? new Map<AlertKind, KindWatch>();
    watches.set(watch.workerId, known.set(watch.kind, watch));
  }
  return watches;
}

async function writeWatches(
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

/** A fault that began, or ended (`_over`). `at`: Unix seconds. `hashrate`: what it mined before, H/s. */
type FaultEvent = Key & { kind: AlertKind | `${AlertKind}_over`; at: number; hashrate: number };

const writeEvents = (db: Querier, events: readonly FaultEvent[]): Promise<unknown> =>
  db.query(sql`
    insert into worker_event (sub_account_id, worker_id, kind, at, hashrate)
    select u."subAccountId", u."workerId", u.kind, to_timestamp(u.at), u.hashrate
    from json_to_recordset(${JSON.stringify(events)}::json)
        as u("subAccountId" int, "workerId" int, kind text, at float8, hashrate float8)
      join worker w on w.sub_account_id = u."subAccountId" and w.id = u."workerId"`);

/** The pool's state in this run. `up` stays at `now` while an algorithm has an outage. */
async function poolNow(db: Querier, before: PoolState, healthy: Healthy, now: number): Promise<PoolState> {
  const users = await activeUsers(db, now);
  const state: PoolState = { ...before, ranAt: now, up: {}, outages: {} };
  for (const algorithm of ALGORITHM_NAMES) {
    const active = users.get(algorithm) ?? { before: 0, recent: 0 };
    const outage = outageNow(before.outages[algorithm], healthy(algorithm), active, now);
    if (outage) state.outages[algorithm] = outage;
    state.up[algorithm] = outage ? now : (before.up[algorithm] ?? now);
  }
  return state;
}

export const listed = (names: readonly string[]): string =>
  names.slice(0, MAX_NAMES).join(', ') + (names.length > MAX_NAMES ? ', …' : '');

const ENDED: Record<AlertKind, string> = { offline: 'recovered', low: 'low_over', rejects: 'rejects_over' };

function notesOf(told: readonly Told[]): Note[] {
  const groups = new Map<string, { userId: number; account: string; what: string; names: string[] }>();
  for (const { facts, kind, say } of told) {
    const { userId, account, name } = facts;
    const what = say === 'alert' ? kind : ENDED[kind];
    const key = `${userId} ${account} ${what}`;
    const group = groups.get(key) ?? { userId, account, what, names: [] };
    group.names.push(name);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ userId, account, what, names }): Note => {
    const [first = ''] = names;
    if (names.length === 1) return { userId, kind: `worker_${what}`, values: { account, worker: first } };
    return { userId, kind: `workers_${what}`, values: { account, count: names.length, names: listed(names) } };
  });
}

export async function watchWorkers(
  db: Querier,
  before: PoolState,
  healthy: Healthy,
  now: number,
): Promise<{ state: PoolState; notes: Note[] }> {
  const state = await poolNow(db, before, healthy, now);
  const facts = await workerFacts(db, now);
  const watches = await readWatches(db);
  const changed: KindWatch[] = [];
  const over: Pick<KindWatch, 'workerId' | 'subAccountId' | 'kind'>[] = [];
  const told: Told[] = [];
  const events: FaultEvent[] = [];
  const farmOf = ({ userId, algorithm }: Facts): string => `${userId} ${algorithm}`;
  const upSince = ({ algorithm }: Facts): number => state.up[algorithm] ?? now;
  const going = new Set(facts.filter((worker) => isGoing(worker, now, upSince(worker))).map(farmOf));
  for (const worker of facts) {
    const known = watches.get(worker.id);
    const key = { workerId: worker.id, subAccountId: worker.subAccountId };
    const hashrate = hashrateOfWork(worker.algorithm, worker.pace, 1);
    watches.delete(worker.id);
    // No worker is judged during an outage of the pool itself.
    if (state.outages[worker.algorithm]) continue;
    const alerts = [...(known?.values() ?? [])].flatMap(({ toldAt }) => toldAt ?? []);
    let lastAlertAt = alerts.length > 0 ? Math.max(...alerts) : null;
    for (const kind of ALERT_KINDS) {
      const watch = known?.get(kind) ?? NOTHING;
      const seen = seenOf(worker, kind, now, upSince(worker));
      const wait = kind === 'offline' && going.has(farmOf(worker)) ? WAIT_S : 0;
      const next = advance(watch, seen, now, { muted: worker.muted, lastAlertAt, wait });
      if (next.watch.active !== watch.active)
        events.push(
          next.watch.active
            ? { ...key, hashrate, kind, at: next.watch.since ?? now }
            : { ...key, hashrate, kind: `${kind}_over`, at: watch.clearSince ?? now },
        );
      if (next.say) told.push({ facts: worker, kind, say: next.say });
      if (next.say === 'alert') lastAlertAt = now;
      if (isOver(next.watch, now)) {
        if (known?.has(kind)) over.push({ ...key, kind });
      } else if (next.watch !== watch) changed.push({ ...next.watch, ...key, kind });
    }
  }
  // Workers without a share for a day are inactive: their watches end.
  for (const kinds of watches.values()) over.push(...kinds.values());
  await writeWatches(db, changed, over);
  await writeEvents(db, events);
  const { notes, single } = await followEvents(db, told, now);
  return { state, notes: [...notes, ...notesOf(single)] };
}
