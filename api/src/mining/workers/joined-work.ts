/** The rows of two workers that are one machine: moved to one of them (join.ts), and back. */
import { type Querier, raw, rowsOf, sql } from '../../platform/db/querier';
import { ADD, STEPS } from '../shares/rollup';

type Table = `share_${(typeof STEPS)[number]['name']}`;
/** Tables of the sums of work, and their steps in seconds. */
const TABLES = STEPS.map(({ name, seconds }): { table: Table; seconds: number } => ({
  table: `share_${name}`,
  seconds,
}));
const SUMS = raw('accepted, stale, rejected, shares');

/** SQL: the start of the step in which this time (SQL of Unix seconds) is. */
const startOf = (seconds: number, time: string) =>
  raw(`date_bin('${seconds} seconds', to_timestamp(${time}), to_timestamp(0))`);

type Row = { at: number; accepted: number; stale: number; rejected: number; shares: number };
/** Rows of a former worker since the new one came (`since`), and of the new one. */
export type Own = Record<Table, Row[]> & {
  since: number;
  events: number[];
  worker_live: object[];
  worker_alert: object[];
  newWorker: object;
  newMiningSince: string | null;
};
type Move = { from: number; into: number };

/** What each former worker and its new one have of their own, by the former one's number. */
export async function ownOf(client: Querier, account: number, moves: readonly Move[]): Promise<Map<number, Own>> {
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
  for (const { table, seconds } of TABLES) {
    const work = await rowsOf<Row & { id: number }>(client)`
      select k.id, extract(epoch from s.at)::int as at, ${SUMS}
      from ${raw(table)} s join ${those} on s.worker_id = k.id
      where s.sub_account_id = ${account} and s.at >= ${startOf(seconds, 'k.since')}`;
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
export async function absorb(client: Querier, account: number, moves: readonly Move[]): Promise<void> {
  const froms = moves.map(({ from }) => from);
  const map = sql`unnest(${froms}::int[], ${moves.map(({ into }) => into)}::int[]) as m("from", "into")`;
  for (const { table } of TABLES) {
    await client.query(sql`
      insert into ${raw(table)} as t (sub_account_id, worker_id, at, ${SUMS})
      select s.sub_account_id, m."into", s.at, ${SUMS}
      from ${raw(table)} s join ${map} on s.worker_id = m."from"
      where s.sub_account_id = ${account}
      on conflict (sub_account_id, worker_id, at) ${raw(ADD)}`);
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
export async function splitWork(client: Querier, account: number, { from, to }: Split, own: Own): Promise<void> {
  for (const { table, seconds } of TABLES) {
    const kept = sql`json_to_recordset(${JSON.stringify(own[table])}::json)
      as o(at int, accepted float8, stale float8, rejected float8, shares int)`;
    const those = sql`s.sub_account_id = ${account} and s.worker_id = ${from}`;
    const start = startOf(seconds, String(own.since));
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
export async function restoreNew(client: Querier, account: number, { from, to }: Split, own: Own): Promise<void> {
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
