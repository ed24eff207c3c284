/**
 * What broke where: workers that went off together are one event of their owner, whatever sub-accounts they are of. It
 * is told once, again when twice as many are off or its quiet time is over, and closes by itself.
 */
import type { FarmEvent } from '@pool/shared/api/contract';
import { type AlgorithmName, displayHashrate } from '@pool/shared/domain';
import type { Note } from '../messages/notifications';
import { grossOf } from '../money/accounting/pay-per-share';
import { pricesOf } from '../money/accounting/prices';
import { dayOf } from '../platform/days';
import { oneRow, type Querier, rowsOf, sql, valuesOf } from '../platform/db/querier';
import type { Told } from './facts';
import { placesOf, type Rig } from './places';

/** Workers without a place are an event from so many on; fewer are told by their names. */
const MANY = 4;
/** A place that goes off bit by bit is one event for so long. */
const GROWS_S = 3600;
/** It is over when so many are back and no more came for so long: those that stay off are told of by themselves. */
const NEARLY = 0.9;
const RAGGED_S = 900;

/** Numbers of an event. `rigs`: workers that it has had; `off`, `back`: those of them that are so now. Unix seconds. */
type Numbers = {
  rigs: number;
  off: number;
  back: number;
  backAt: number | null;
  /** H/s that are off now, and H/s times seconds that were lost until now. */
  hashrate: number;
  missed: number;
  accounts: number[];
  /** The sub-account of most of them. */
  account: string;
};
type Event = Pick<FarmEvent, 'id' | 'by' | 'value' | 'total' | 'since'> & {
  userId: number;
  algorithm: AlgorithmName;
  told: number;
  /** Workers of the owner that mined within a day. */
  farm: number;
  /** Nothing is said until then; infinite: until it is over. */
  quietUntil: number | null;
};

/** SQL: the numbers of events at `now` (SQL). `of`: condition on a `farm_event`; `accounts` (SQL): of workers in these, else of all. */
export function numbersOf(of: string, now: string, accounts?: string): string {
  // Each table says it: a Citus asks only the nodes of accounts that it is told for the table itself.
  const isOf = (table: string): string => (accounts ? `and ${table}.sub_account_id = any(${accounts})` : '');
  return `
  select event_id, count(*) as rigs, count(*) filter (where is_off) as off,
    count(*) filter (where not is_off and over_at is not null) as back,
    extract(epoch from max(over_at) filter (where not is_off))::float8 as back_at,
    coalesce(sum(hashrate) filter (where is_off), 0) as hashrate,
    coalesce(sum(hashrate * extract(epoch from coalesce(over_at, ${now}) - at)), 0)::float8 as missed,
    array_agg(distinct sub_account_id) as accounts, mode() within group (order by sub_account_id) as most
  from (
    select distinct on (e.event_id, e.sub_account_id, e.worker_id) e.event_id, e.sub_account_id, e.at, e.hashrate, (
        select min(o.at) from worker_event o
        where o.sub_account_id = e.sub_account_id and o.worker_id = e.worker_id and o.kind = 'offline_over' and o.at >= e.at
          ${isOf('o')}
      ) as over_at, exists (
        select from worker_alert a
        where a.sub_account_id = e.sub_account_id and a.worker_id = e.worker_id and a.kind = 'offline' and a.active
          ${isOf('a')}
      ) as is_off
    from worker_event e
    where e.event_id in (select id from farm_event where ${of})
      ${isOf('e')}
    order by e.event_id, e.sub_account_id, e.worker_id, e.at desc
  ) w
  group by event_id`;
}

const openEvents = (db: Querier, now: number): Promise<(Event & Numbers)[]> =>
  rowsOf<Event & Numbers>(
    db,
    `select f.id, f.user_id, f.algorithm, f.by, f.value, f.total, extract(epoch from f.since)::float8 as since, f.told,
       case when f.acknowledged_by is not null then coalesce(extract(epoch from f.quiet_until)::float8, 'infinity') end
         as quiet_until, coalesce(w.rigs, 0) as rigs, coalesce(w.off, 0) as off, coalesce(w.back, 0) as back, w.back_at,
       coalesce(w.hashrate, 0) as hashrate, coalesce(w.missed, 0) as missed, w.accounts, s.name as account,
       coalesce(farms.farm, 0) as farm
     from farm_event f
       left join (${numbersOf('until is null', 'to_timestamp($1::float8)')}) w on w.event_id = f.id
       left join sub_account s on s.id = w.most
       left join (
         select s.user_id, o.algorithm, count(*) as farm
         from worker o join sub_account s on s.id = o.sub_account_id
           join worker_live l on l.sub_account_id = o.sub_account_id and l.worker_id = o.id
         where s.user_id in (select user_id from farm_event where until is null)
           and l.last_share_at > to_timestamp($1::float8 - 86400)
         group by 1, 2
       ) farms on farms.user_id = f.user_id and farms.algorithm = f.algorithm
     where f.until is null order by f.id`,
    [now],
  );

type Found = Rig & { subAccountId: number; account: string };
/** All workers of an owner that mined within a day and are not muted, with what they may have in common. */
const rigsOf = (db: Querier, userId: number, algorithm: AlgorithmName, now: number): Promise<Found[]> =>
  rowsOf<Found>(db)`
    select w.id, w.sub_account_id, w.name, g.name as "group", s.name as account, l.remote as address, l.software as model,
      x.to_url as upstream
    from worker w
      join sub_account s on s.id = w.sub_account_id and s.deleted_at is null
      join worker_live l on l.sub_account_id = w.sub_account_id and l.worker_id = w.id
      left join worker_group g on g.sub_account_id = w.sub_account_id and g.id = w.group_id
      left join (
        select distinct on (sub_account_id) sub_account_id, to_url from upstream_switch
        where algorithm = ${algorithm} and sub_account_id in (select id from sub_account where user_id = ${userId})
        order by sub_account_id, at desc
      ) x on x.sub_account_id = w.sub_account_id
    where s.user_id = ${userId} and w.algorithm = ${algorithm} and not w.muted
      and w.standing is distinct from 'strange' and l.last_share_at > to_timestamp(${now}::float8 - 86400)`;

const isIn = ({ by, value }: Pick<Event, 'by' | 'value'>, rig: Rig): boolean =>
  by === 'all' || (by === 'name' ? rig.name.startsWith(value) : by !== 'workers' && rig[by] === value);

const putInto = (db: Querier, id: number, rigs: readonly Pick<Found, 'id' | 'subAccountId'>[]): Promise<unknown> =>
  db.query(sql`
    update worker_event e set event_id = ${id}
    from unnest(${rigs.map((rig) => rig.subAccountId)}::int[],
      ${rigs.map((rig) => rig.id)}::int[]) as u(account, worker)
    where e.sub_account_id = u.account and e.worker_id = u.worker and e.kind = 'offline' and e.at = (
      select max(o.at) from worker_event o
      where o.sub_account_id = e.sub_account_id and o.worker_id = e.worker_id and o.kind = 'offline'
    )`);

/** Puts workers that went off into events: those that are open, or new ones. Returns who is told of by name. */
async function place(
  db: Querier,
  open: readonly Event[],
  { userId, algorithm }: Pick<Event, 'userId' | 'algorithm'>,
  went: readonly Told[],
  now: number,
): Promise<Told[]> {
  const rigs = await rigsOf(db, userId, algorithm, now);
  const since = new Map(went.map(({ facts }) => [facts.id, facts.lastShareAt]));
  for (const rig of rigs) rig.off = since.get(rig.id) ?? null;
  let left = rigs.filter(({ off }) => off !== null);
  const members = await rowsOf<{ id: number; eventId: number }>(db)`
    select distinct worker_id as id, event_id from worker_event
    where event_id = any(${open.map(({ id }) => id)}::int[]) and worker_id = any(${left.map(({ id }) => id)}::int[])`;
  const memberships = new Set(members.map(({ id, eventId }) => `${eventId} ${id}`));
  for (const event of open.filter((one) => one.userId === userId && one.algorithm === algorithm)) {
    const joins = new Set(
      left.filter(
        (rig) =>
          memberships.has(`${event.id} ${rig.id}`) || (isIn(event, rig) && (rig.off ?? 0) - event.since < GROWS_S),
      ),
    );
    await putInto(db, event.id, [...joins]);
    left = left.filter((rig) => !joins.has(rig));
  }
  const unplaced = new Set(left);
  const places: (Pick<Event, 'by' | 'value' | 'total'> & { rigs: readonly Found[] })[] = placesOf(
    rigs.map((rig) => (unplaced.has(rig) ? rig : { ...rig, off: null })),
  );
  const placed = new Set(places.flatMap((one) => one.rigs.map(({ id }) => id)));
  const others = left.filter(({ id }) => !placed.has(id));
  if (others.length >= MANY) places.push({ by: 'workers', value: '', total: others.length, rigs: others });
  for (const { by, value, total, rigs: off } of places) {
    const at = Math.min(...off.map((rig) => rig.off ?? now));
    const { id } = await oneRow<{ id: number }>(db)`
      insert into farm_event (user_id, algorithm, by, value, total, since, told)
      values (${userId}, ${algorithm}, ${by}, ${value}, ${total}, to_timestamp(${at}::float8), 0) returning id`;
    await putInto(db, id, off);
  }
  const single = new Set(others.length >= MANY ? [] : others.map(({ id }) => id));
  return went.filter(({ facts }) => single.has(facts.id));
}

export const worded = (hashrate: number): string => {
  const { value, unit } = displayHashrate(hashrate);
  return `${value} ${unit}`;
};
const iso = (at: number): string => new Date(at * 1000).toISOString();
/** The context has the sentence with its money; who may not see money is told without (messages/notifications.ts). */
const noteOf = (
  { id, userId, by, value, account, accounts, farm }: Event & Numbers,
  what: 'offline' | 'recovered',
  values: Note['values'],
): Note => ({
  userId,
  kind: `workers_${what}`,
  accounts,
  values: {
    context: 'cost',
    event: id,
    account,
    by,
    place: value,
    percent: Math.round((Number(values.off) / farm) * 100),
    ...values,
  },
});

/** Sats that H/s times seconds earn, before fees. */
export async function satsOf(db: Querier, now: number): Promise<(algorithm: AlgorithmName, missed: number) => number> {
  const prices = await pricesOf(db, dayOf(now));
  return (algorithm, missed) => grossOf(algorithm, missed / 86_400, prices[algorithm].priceBtc);
}

/** What of an event that is over stays off is one more, of which everybody knows. */
async function stay(db: Querier, { id, off }: Event & Numbers): Promise<void> {
  const { id: left } = await oneRow<{ id: number }>(db)`
    insert into farm_event (user_id, algorithm, by, value, total, since, told, note)
    select user_id, algorithm, 'workers', '', ${off}, since, ${off}, note from farm_event where id = ${id} returning id`;
  await db.query(sql`
    update worker_event e set event_id = ${left} from worker_alert a
    where e.event_id = ${id} and a.sub_account_id = e.sub_account_id and a.worker_id = e.worker_id
      and a.kind = 'offline' and a.active`);
}

/**
 * After the watches were written: opens, tells and closes events. `told`: what this run found. `single`: what is told of
 * single workers, faults other than silence among it.
 */
export async function followEvents(
  db: Querier,
  told: readonly Told[],
  now: number,
): Promise<{ notes: Note[]; single: Told[] }> {
  const isOff = ({ kind }: Told): boolean => kind === 'offline';
  const single = told.filter((one) => !isOff(one));
  const before = await openEvents(db, now);
  const farms = new Map<string, { of: Told['facts']; went: Told[] }>();
  for (const one of told) {
    if (!isOff(one) || one.say !== 'alert') continue;
    const key = `${one.facts.userId} ${one.facts.algorithm}`;
    const farm = farms.get(key) ?? { of: one.facts, went: [] };
    farm.went.push(one);
    farms.set(key, farm);
  }
  for (const { of, went } of farms.values()) single.push(...(await place(db, before, of, went, now)));
  // One that comes back is told of by its event, while that is open.
  const back = told.filter((one) => isOff(one) && one.say === 'recovered');
  const members = await valuesOf<number>(db)`
    select e.worker_id from worker_event e join farm_event f on f.id = e.event_id and f.until is null
    where e.worker_id = any(${back.map(({ facts }) => facts.id)}::int[])`;
  const inEvents = new Set(members);
  single.push(...back.filter(({ facts }) => !inEvents.has(facts.id)));

  const open = await openEvents(db, now);
  if (open.length === 0) return { notes: [], single };
  const sats = await satsOf(db, now);
  const notes: Note[] = [];
  for (const event of open) {
    const { id, algorithm, off, rigs, back: returned, backAt, told: known, quietUntil, since } = event;
    const isOver = off === 0 || (returned >= rigs * NEARLY && backAt !== null && now - backAt >= RAGGED_S);
    if (isOver) {
      const until = backAt ?? now;
      const lost = sats(algorithm, event.missed);
      await db.query(
        sql`update farm_event set until = to_timestamp(${until}::float8), lost_sat = ${lost} where id = ${id}`,
      );
      if (off >= MANY) await stay(db, event);
      // Workers that mined no more for a day are nobody's business.
      if (returned > 0)
        notes.push(
          noteOf(event, 'recovered', {
            off: returned,
            total: rigs,
            since: iso(until),
            sats: lost,
            minutes: Math.round((until - since) / 60),
          }),
        );
    } else if (quietUntil === null ? off >= Math.max(1, known * 2) : now >= quietUntil) {
      await db.query(sql`
        update farm_event set told = ${off}, acknowledged_by = null, quiet_until = null where id = ${id}`);
      notes.push(
        noteOf(event, 'offline', {
          off,
          total: Math.max(event.total, off),
          since: iso(since),
          hs: Math.round(event.hashrate),
          hashrate: worded(event.hashrate),
          sats: sats(algorithm, event.hashrate * 3600),
        }),
      );
    }
  }
  return { notes, single };
}
