/**
 * One machine under two names. The former worker keeps its number and all that it has, takes the new name and what was
 * mined under it; the new worker's row goes. Sums of accounts, and money, are not touched.
 */
import type { Pool, PoolClient } from 'pg';
import { type Actor, writeAuditRows } from '../../platform/audit';
import { firstRow, hasRow, type Querier, raw, rowsOf, sql } from '../../platform/db/querier';
import { lock, transaction } from '../../platform/db/transaction';
import { OFFLINE_AFTER } from '../../platform/offline';
import { absorb, type Own, ownOf, restoreNew, splitWork } from './joined-work';
import { type Pair, pairsOf, type Passing } from './same-machine';
import { lockOwnAccount, type Place } from './worker-groups';
import { problems } from '../../platform/refused';

/** How long two workers can be parted again. */
const UNDO_DAYS = 7;

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
type Acting = Actor & { ownerId: number };

/** Joins all of the pairs or none, as long as they are likely; `same` false: they are two machines, each. */
export function joinWorkers(
  pool: Pool,
  { ownerId, ...actor }: Acting,
  place: Place,
  { pairs: wanted, same }: { pairs: readonly Ids[]; same: boolean },
  now: number,
): Promise<void> {
  const { subAccountId, algorithm, account } = place;
  return transaction(pool, async (client) => {
    await lockOwnAccount(client, ownerId, subAccountId);
    await lockWork(client);
    const likely = await likelyPairs(client, place, now);
    const pairs = likely.filter(({ worker, former }) =>
      wanted.some((ids) => ids.worker === worker.id && ids.former === former.id),
    );
    if (pairs.length < wanted.length) throw problems.conflict('changed_meanwhile');
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
  });
}

/** Parts two workers again: each has what it had and what came since under its name. Null: they are parted. */
export function partWorkers(
  pool: Pool,
  { ownerId, ...actor }: Acting,
  place: Place,
  id: number,
  now: number,
): Promise<'not_found' | 'changed_meanwhile' | null> {
  const { subAccountId, algorithm, account } = place;
  return transaction(pool, async (client) => {
    await lockOwnAccount(client, ownerId, subAccountId);
    await lockWork(client);
    const join = (await joinsOf(client, place, now)).find((one) => one.id === id);
    const kept = await firstRow<{ newId: number; own: Own }>(client)`
      select new_id, own from worker_join where id = ${id}`;
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
