/**
 * One machine under two names. The former worker keeps its number and all that it has, takes the new name and what was
 * mined under it; the new worker's row goes. Sums of accounts, and money, are not touched.
 */
import type { Pool, PoolClient } from 'pg';
import { type Actor, writeAuditRows } from '../../platform/audit';
import { firstRow, hasRow, type Querier, raw, rowsOf, sql } from '../../platform/db/querier';
import { lock, transaction } from '../../platform/db/transaction';
import { OFFLINE_AFTER } from '../../platform/offline';
import { type Pair, pairsOf, type Passing } from './same-machine';
import { lockOwner, type Place } from './worker-groups';

/** Steps of the sums of work, in seconds. */
const STEPS = { share_1m: 60, share_10m: 600, share_1h: 3600, share_1d: 86_400 };
type Step = keyof typeof STEPS;
const TABLES = Object.keys(STEPS) as Step[];
const SUMS = raw('accepted, stale, rejected, shares');

/** How long two workers can be parted again. */
const UNDO_DAYS = 7;

/** SQL: the start of the step in which this time (SQL of Unix seconds) is. */
const startOf = (table: Step, time: string) =>
  raw(`date_bin('${STEPS[table]} seconds', to_timestamp(${time}), to_timestamp(0))`);

/** Workers that look like one that has gone, without those that their owner holds to be two machines. */
export async function likelyPairs(db: Querier, { subAccountId, algorithm }: Place, now: number): Promise<Pair[]> {
  const passing = await rowsOf<Passing>(db)`
    with lately as (
      select w.id, w.name, l.remote as address, l.software,
        case when w.created_at > to_timestamp(${now}::float8) - interval '1 day'
          then extract(epoch from w.created_at)::int end as came_at,
        case when l.disconnected_at is not null
            or l.last_share_at < to_timestamp(${now}::float8) - ${raw(OFFLINE_AFTER)} * interval '1 second'
          then extract(epoch from l.last_share_at)::int end as gone_at,
        count(*) over (partition by l.remote)::int as neighbours
      from worker w
        join worker_live l on l.sub_account_id = w.sub_account_id and l.worker_id = w.id
      where w.sub_account_id = ${subAccountId} and w.algorithm = ${algorithm} and l.remote is not null
        and l.last_share_at > to_timestamp(${now}::float8) - interval '25 hours'
        and exists (
          select from worker n
          where n.sub_account_id = ${subAccountId} and n.algorithm = ${algorithm}
            and n.created_at > to_timestamp(${now}::float8) - interval '1 day'
        )
    )
    select id, name, address, software, came_at, gone_at, neighbours
    from lately
    where (came_at is not null or gone_at is not null) and software is not null`;
  const pairs = pairsOf(passing);
  if (pairs.length === 0) return [];
  const known = await rowsOf<{ workerId: number; newId: number }>(db)`
    select worker_id, new_id from worker_join
    where sub_account_id = ${subAccountId} and new_id = any(${pairs.map(({ worker }) => worker.id)}::int[])`;
  return pairs.filter(
    ({ worker, former }) => !known.some(({ workerId, newId }) => workerId === former.id && newId === worker.id),
  );
}

export type Joined = { id: number; worker: number; name: string; former: string; at: number };

/** What can be undone, newest first: of each worker the last. */
export const joinsOf = (db: Querier, { subAccountId, algorithm }: Place, now: number): Promise<Joined[]> =>
  rowsOf<Joined>(db)`
    select j.id, j.worker_id as worker, j.new_name as name, j.former_name as former,
      extract(epoch from j.made_at)::int as at
    from worker_join j
    where j.sub_account_id = ${subAccountId} and j.algorithm = ${algorithm} and j.own is not null
      and j.made_at > to_timestamp(${now}::float8) - ${raw(UNDO_DAYS)} * interval '1 day'
      and not exists (
        select from worker_join later
        where later.sub_account_id = j.sub_account_id and later.worker_id = j.worker_id and later.own is not null
          and later.id > j.id
      )
    order by j.id desc`;

type Ids = { worker: number; former: number };
export type JoinRefused = 'not_found' | 'changed_meanwhile';
type Acting = Actor & { ownerId: number };

/** Joins all of the pairs or none, as long as they are likely; `same` false: they are two machines, each. */
export function joinWorkers(
  pool: Pool,
  { ownerId, ...actor }: Acting,
  place: Place,
  { pairs: wanted, same }: { pairs: readonly Ids[]; same: boolean },
  now: number,
): Promise<JoinRefused | null> {
  const { subAccountId, algorithm, account } = place;
  return transaction(pool, async (client) => {
    if (!(await lockOwner(client, ownerId, subAccountId))) return 'not_found';
    await lockWork(client);
    const likely = await likelyPairs(client, place, now);
    const pairs = likely.filter(({ worker, former }) =>
      wanted.some((ids) => ids.worker === worker.id && ids.former === former.id),
    );
    if (pairs.length < wanted.length) return 'changed_meanwhile';
    const moves = pairs.map(({ worker, former }) => ({ from: worker.id, into: former.id }));
    const own = same ? await ownOf(client, subAccountId, moves) : new Map<number, Own>();
    const rows = pairs.map(({ worker, former }) => ({
      worker: former.id,
      formerName: former.name,
      newId: worker.id,
      newName: worker.name,
      since: own.get(former.id)?.since ?? worker.cameAt,
      own: own.get(former.id) ?? null,
    }));
    await client.query(sql`
      insert into worker_join (sub_account_id, algorithm, worker_id, former_name, new_id, new_name, since, own)
      select ${subAccountId}::int, ${algorithm}::text, r.worker, r."formerName", r."newId", r."newName",
        to_timestamp(r.since), r.own
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as r(worker int, "formerName" text, "newId" int, "newName" text, since float8, own jsonb)`);
    if (same) {
      await absorb(client, subAccountId, moves);
      await client.query(sql`
        update worker w
        set name = r."newName", standing = 'owned'
        from json_to_recordset(${JSON.stringify(rows)}::json) as r(worker int, "newName" text)
        where w.sub_account_id = ${subAccountId} and w.id = r.worker`);
    }
    await writeAuditRows(
      client,
      actor,
      same ? 'worker.join' : 'worker.keep_apart',
      rows.map(({ formerName, newName }) => ({
        subject: `${account}.${newName}`,
        before: { name: formerName },
        after: { name: newName },
      })),
    );
    return null;
  });
}

/** Parts two workers again: each has what it had and what came since under its name. */
export function partWorkers(
  pool: Pool,
  { ownerId, ...actor }: Acting,
  place: Place,
  id: number,
  now: number,
): Promise<JoinRefused | null> {
  const { subAccountId, algorithm, account } = place;
  return transaction(pool, async (client) => {
    if (!(await lockOwner(client, ownerId, subAccountId))) return 'not_found';
    await lockWork(client);
    const join = (await joinsOf(client, place, now)).find((one) => one.id === id);
    const kept = await firstRow<{ newId: number; own: Own }>(client)`
      select new_id as "newId", own from worker_join where id = ${id}`;
    if (!join || !kept) return 'not_found';
    const { worker, name, former } = join;
    const names = await rowsOf<{ id: number; name: string }>(client)`
      select id, name from worker
      where sub_account_id = ${subAccountId} and algorithm = ${algorithm} and name = any(${[name, former]}::text[])`;
    if (!names.some((one) => one.id === worker && one.name === name)) return 'not_found';
    // The former name has come back meanwhile: what it mined goes with the former worker.
    const back = names.find((one) => one.name === former);
    const isHeld =
      back !== undefined &&
      (await hasRow(client)`
        select from worker_join
        where sub_account_id = ${subAccountId} and worker_id = ${back.id} and own is not null`);
    if (isHeld) return 'changed_meanwhile';
    const split = { from: worker, to: kept.newId };
    // No worker can be named so. Names are unique at each step.
    if (back)
      await client.query(sql`
        update worker set name = ${`${former} `} where sub_account_id = ${subAccountId} and id = ${back.id}`);
    await client.query(sql`
      update worker set name = ${former} where sub_account_id = ${subAccountId} and id = ${worker}`);
    await restoreNew(client, subAccountId, split, kept.own);
    await splitWork(client, subAccountId, split, kept.own);
    if (back) await absorb(client, subAccountId, [{ from: back.id, into: worker }]);
    await client.query(sql`update worker_join set own = null, changed_at = now() where id = ${id}`);
    await writeAuditRows(client, actor, 'worker.part', [
      { subject: `${account}.${name}`, before: { name }, after: { name: former } },
    ]);
    return null;
  });
}

/** Nothing is counted, and no connection of several nodes written, until the end of the transaction. */
async function lockWork(client: PoolClient): Promise<void> {
  await lock(client, 'counting');
  await lock(client, 'presence');
}

type Row = { at: number; accepted: number; stale: number; rejected: number; shares: number };
/** Rows of a former worker since the new one came (`since`), and of the new one. */
type Own = Record<Step, Row[]> & {
  since: number;
  events: number[];
  worker_live: object[];
  worker_alert: object[];
  newWorker: object;
  newMiningSince: string | null;
};
type Move = { from: number; into: number };

/** By former worker. */
async function ownOf(client: Querier, account: number, moves: readonly Move[]): Promise<Map<number, Own>> {
  const intos = moves.map(({ into }) => into);
  const news = await rowsOf<Pick<Own, 'since' | 'newWorker' | 'newMiningSince'> & { into: number }>(client)`
    select m."into", to_jsonb(w) as new_worker, l.mining_since::text as new_mining_since,
      extract(epoch from least(date_trunc('minute', w.created_at), (
        select min(s.at) from share_1m s where s.sub_account_id = ${account} and s.worker_id = w.id
      )))::int as since
    from unnest(${moves.map(({ from }) => from)}::int[], ${intos}::int[]) as m("from", "into")
      join worker w on w.sub_account_id = ${account} and w.id = m."from"
      join worker_live l on l.sub_account_id = ${account} and l.worker_id = m."from"`;
  const none = () => ({ share_1m: [], share_10m: [], share_1h: [], share_1d: [], worker_live: [], worker_alert: [] });
  const own = new Map(news.map(({ into, ...row }): [number, Own] => [into, { ...row, ...none(), events: [] }]));
  const those = sql`unnest(
    ${news.map(({ into }) => into)}::int[], ${news.map(({ since }) => since)}::float8[]
  ) as k(id, since)`;
  for (const table of TABLES) {
    const work = await rowsOf<Row & { id: number }>(client)`
      select k.id, extract(epoch from s.at)::int as at, ${SUMS}
      from ${raw(table)} s join ${those} on s.worker_id = k.id
      where s.sub_account_id = ${account} and s.at >= ${startOf(table, 'k.since')}`;
    for (const { id, ...row } of work) own.get(id)?.[table].push(row);
  }
  for (const table of ['worker_live', 'worker_alert'] as const) {
    const states = await rowsOf<{ id: number; row: object }>(client)`
      select t.worker_id as id, to_jsonb(t) as row from ${raw(table)} t
      where t.sub_account_id = ${account} and t.worker_id = any(${intos}::int[])`;
    for (const { id, row } of states) own.get(id)?.[table].push(row);
  }
  const events = await rowsOf<{ worker: number; id: number }>(client)`
    select k.id as worker, e.id from worker_event e join ${those} on e.worker_id = k.id
    where e.sub_account_id = ${account} and e.at >= to_timestamp(k.since)`;
  for (const { worker, id } of events) own.get(worker)?.events.push(id);
  return own;
}

/** Adds all of one worker to another and deletes it; the other's connection is the later one. */
async function absorb(client: Querier, account: number, moves: readonly Move[]): Promise<void> {
  const froms = moves.map(({ from }) => from);
  const map = sql`unnest(${froms}::int[], ${moves.map(({ into }) => into)}::int[]) as m("from", "into")`;
  for (const table of TABLES) {
    await client.query(sql`
      insert into ${raw(table)} as t (sub_account_id, worker_id, at, ${SUMS})
      select s.sub_account_id, m."into", s.at, ${SUMS}
      from ${raw(table)} s join ${map} on s.worker_id = m."from"
      where s.sub_account_id = ${account}
      on conflict (sub_account_id, worker_id, at) do update set
        accepted = t.accepted + excluded.accepted,
        stale = t.stale + excluded.stale,
        rejected = t.rejected + excluded.rejected,
        shares = t.shares + excluded.shares`);
    await client.query(sql`
      delete from ${raw(table)} where sub_account_id = ${account} and worker_id = any(${froms}::int[])`);
  }
  await client.query(sql`
    update worker_event e set worker_id = m."into" from ${map}
    where e.sub_account_id = ${account} and e.worker_id = m."from"`);
  await client.query(sql`
    insert into worker_presence (sub_account_id, worker_id, node_id)
    select p.sub_account_id, m."into", p.node_id
    from worker_presence p join ${map} on p.worker_id = m."from"
    where p.sub_account_id = ${account}
    on conflict do nothing`);
  await client.query(sql`
    update worker_live t
    set connected_at = l.connected_at, disconnected_at = l.disconnected_at, difficulty = l.difficulty,
      software = coalesce(l.software, t.software), remote = l.remote, silence = l.silence, port = l.port, tls = l.tls,
      last_share_at = greatest(t.last_share_at, l.last_share_at),
      mining_since = case
        when l.mining_since - t.last_share_at > interval '1 day' then l.mining_since
        else least(t.mining_since, l.mining_since)
      end
    from worker_live l join ${map} on l.worker_id = m."from"
    where l.sub_account_id = ${account} and t.sub_account_id = ${account} and t.worker_id = m."into"`);
  await client.query(sql`delete from worker where sub_account_id = ${account} and id = any(${froms}::int[])`);
}

type Split = { from: number; to: number };

/** Gives the new worker all work since it came that is not the former one's own. */
async function splitWork(client: Querier, account: number, { from, to }: Split, own: Own): Promise<void> {
  for (const table of TABLES) {
    const kept = sql`json_to_recordset(${JSON.stringify(own[table])}::json)
      as o(at int, accepted float8, stale float8, rejected float8, shares int)`;
    const those = sql`s.sub_account_id = ${account} and s.worker_id = ${from}`;
    const start = startOf(table, String(own.since));
    await client.query(sql`
      insert into ${raw(table)} (sub_account_id, worker_id, at, ${SUMS})
      select s.sub_account_id, ${to}::int, s.at, s.accepted - coalesce(o.accepted, 0), s.stale - coalesce(o.stale, 0),
        s.rejected - coalesce(o.rejected, 0), s.shares - coalesce(o.shares, 0)
      from ${raw(table)} s left join ${kept} on s.at = to_timestamp(o.at)
      where ${those} and s.at >= ${start}
        and (s.accepted, s.stale, s.rejected, s.shares) is distinct from (o.accepted, o.stale, o.rejected, o.shares)`);
    await client.query(sql`
      delete from ${raw(table)} s
      where ${those} and s.at >= ${start}
        and s.at <> all(select to_timestamp(at) from unnest(${own[table].map(({ at }) => at)}::int[]) at)`);
    await client.query(sql`
      update ${raw(table)} s
      set accepted = o.accepted, stale = o.stale, rejected = o.rejected, shares = o.shares
      from ${kept}
      where ${those} and s.at = to_timestamp(o.at)`);
  }
}

/** Each has the rows that it had; the connection of now is the new worker's. */
async function restoreNew(client: Querier, account: number, { from, to }: Split, own: Own): Promise<void> {
  const worker = sql`${own.newWorker}::jsonb`;
  await client.query(sql`
    insert into worker
    select * from jsonb_populate_record(null::worker, ${worker} || jsonb_build_object('group_id', (
      select id from worker_group where sub_account_id = ${account} and id = (${worker} ->> 'group_id')::int
    )))`);
  await client.query(sql`
    insert into worker_live
    select n.* from worker_live l, jsonb_populate_record(null::worker_live, to_jsonb(l) || jsonb_build_object(
      'worker_id', ${to}::int,
      'mining_since', greatest(${own.newMiningSince}::timestamptz, l.mining_since)
    )) n
    where l.sub_account_id = ${account} and l.worker_id = ${from}`);
  for (const table of ['worker_live', 'worker_alert'] as const) {
    await client.query(sql`
      delete from ${raw(table)} where sub_account_id = ${account} and worker_id = ${from}`);
    await client.query(sql`
      insert into ${raw(table)}
      select * from jsonb_populate_recordset(null::${raw(table)}, ${JSON.stringify(own[table])}::jsonb)`);
  }
  await client.query(sql`
    update worker_event set worker_id = ${to}
    where sub_account_id = ${account} and worker_id = ${from} and at >= to_timestamp(${own.since}::float8)
      and id <> all(${own.events}::bigint[])`);
  await client.query(sql`
    update worker_presence set worker_id = ${to} where sub_account_id = ${account} and worker_id = ${from}`);
}
