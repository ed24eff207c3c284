/** Holds changes of lists, for users who want that: until its end miners work by the lists before (`pool_in_force`). */
import type { Pool, PoolClient } from 'pg';
import type { PoolHold } from '@pool/shared/api/contract';
import { ALGORITHM_NAMES } from '@pool/shared/domain';
import { lockUser } from '../../accounts/accounts';
import { writeAudit } from '../../platform/audit';
import { writeNotes } from '../../messages/notifications';
import type { Bus } from '../../platform/bus';
import { firstRow, oneValue, type Querier, raw, rowsOf, sql, valueOf, valuesOf } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import { changedBefore } from './list-warning';
import type { PoolChanges } from '../../stratum/pool-changes';
import { changedLists, shownPlaces } from './shown-lists';
import { problems } from '../../platform/refused';

const PLACE =
  'id, user_id, sub_account_id, pool_config_id, algorithm, priority, enabled, name, url, user_name, password';

/** The user who owns the pools, and the address of the request. `holdHours`: how long a change is held, if at all. */
export type Owner = { id: number; ip: string; holdHours: number };

/** Call before a change, in its transaction: starts the hold, or its time anew. Null: the user wants none. */
export async function holdLists(client: PoolClient, { id, holdHours }: Owner): Promise<Date | null> {
  const held = await valueOf<boolean | null>(client)`
    select until > now() from pool_hold where user_id = ${id} and (off_at is null or off_at > now()) for update`;
  if (held === undefined) return null;
  if (!held) {
    await endHold(client, [id]);
    await client.query(sql`
      insert into held_pool (${raw(PLACE)}) select ${raw(PLACE)} from edited_pool where user_id = ${id}`);
  }
  return oneValue<Date>(client)`
    update pool_hold set since = coalesce(since, now()), until = now() + make_interval(secs => ${holdHours * 3600})
    where user_id = ${id}
    returning until`;
}

/** Takes back held changes; null: nothing is held. Throws where a thief's list would return without a `recent` sign-in. */
export async function cancelHeld(client: PoolClient, { id, ip }: Owner, recent: boolean): Promise<number[] | null> {
  // Locks come in the order in which edits of lists and pools lock.
  await lockUser(client, id);
  const accounts = await valuesOf<number>(client)`
    select id from sub_account where user_id = ${id} and deleted_at is null order by id for update`;
  const since = await valueOf<Date>(client)`
    select since from pool_hold where user_id = ${id} and until > now() for update`;
  if (!since) return null;
  if (!recent && (await changedBefore(client, id, since))) throw problems.reverify();
  await client.query(sql`
    delete from sub_account_pool_config c using sub_account s where s.id = c.sub_account_id and s.user_id = ${id}`);
  // A pool of that name may have been saved since one was deleted.
  await client.query(sql`insert into pool_config (id, user_id, name, algorithm, url, user_name, password)
    select distinct on (h.pool_config_id) h.pool_config_id, h.user_id,
      case when p.id is null then h.name else concat(h.name, ' ', h.pool_config_id) end,
      h.algorithm, h.url, h.user_name, h.password
    from held_pool h
      left join pool_config p on p.user_id = h.user_id and p.name = h.name and p.id <> h.pool_config_id
    where h.user_id = ${id}
    on conflict (id) do update
      set algorithm = excluded.algorithm, url = excluded.url, user_name = excluded.user_name,
        password = excluded.password`);
  await client.query(sql`
    insert into sub_account_pool_config (id, sub_account_id, pool_config_id, algorithm, priority, enabled)
    select h.id, h.sub_account_id, h.pool_config_id, h.algorithm, h.priority, h.enabled
    from held_pool h join sub_account s on s.id = h.sub_account_id
    where h.user_id = ${id} and s.deleted_at is null`);
  await endHold(client, [id]);
  // Its warnings: there is nothing left that they could take back.
  await client.query(sql`update notification set values = values || '{"undone": 1}', read_at = coalesce(read_at, now())
    where user_id = ${id} and kind = 'pools_held' and not values ? 'undone' and created_at >= ${since}`);
  await writeAudit(client, { actorId: id, ip }, 'pool_hold.cancel', null);
  return accounts;
}

async function endHold(client: PoolClient, userIds: readonly number[]): Promise<void> {
  await client.query(sql`update pool_hold set until = null, since = null where user_id = any(${userIds}::int[])`);
  await client.query(sql`delete from held_pool where user_id = any(${userIds}::int[])`);
}

/** Ends holds whose time is over, and deletes those that are turned off. Returns whose lists another one is now in force. */
export const endHolds = (pool: Pool): Promise<{ userId: number; subAccountIds: number[] }[]> =>
  transaction(pool, async (client) => {
    const ids = await valuesOf<number>(client)`
      select user_id from pool_hold where until <= now() order by user_id for update`;
    if (ids.length) await endHold(client, ids);
    await client.query('delete from pool_hold where off_at <= now() and until is null');
    const accounts = await rowsOf<{ id: number; userId: number }>(client)`
      select id, user_id from sub_account where user_id = any(${ids}::int[]) and deleted_at is null`;
    return ids.map((userId) => ({
      userId,
      subAccountIds: accounts.filter((account) => account.userId === userId).map(({ id }) => id),
    }));
  });

/** The proxy and the user's pages read these lists again. */
export function announceLists(changes: PoolChanges, bus: Bus, userId: number, subAccountIds: readonly number[]): void {
  changes.lists(subAccountIds);
  for (const algorithm of ALGORITHM_NAMES) bus.publish({ type: 'upstream', data: { algorithm }, userId });
}

/** Ends holds whose time is over, and tells who reads the lists. */
export async function endDueHolds(pool: Pool, changes: PoolChanges, bus: Bus): Promise<void> {
  for (const { userId, subAccountIds } of await endHolds(pool)) announceLists(changes, bus, userId, subAccountIds);
}

/** Turns the hold on, or off after the time that a change is held. */
export const setPoolHold = (pool: Pool, { id, ip, holdHours }: Owner, on: boolean): Promise<void> =>
  transaction(pool, async (client) => {
    const actor = { actorId: id, ip };
    if (on) {
      await client.query(sql`
        insert into pool_hold (user_id) values (${id}) on conflict (user_id) do update set off_at = null`);
      await writeAudit(client, actor, 'pool_hold.on', null);
      return;
    }
    const off = await valueOf<Date>(client)`
      update pool_hold set off_at = now() + make_interval(secs => ${holdHours * 3600})
      where user_id = ${id} and off_at is null
      returning off_at`;
    if (!off) return;
    const until = off.toISOString();
    await writeAudit(client, actor, 'pool_hold.off', null, { after: { until } });
    await writeNotes(client, [{ userId: id, kind: 'pool_hold_off', values: { until, ip } }], Date.now() / 1000);
  });

/** `limit`: the sub-accounts of a member who sees no others. */
export async function poolHoldOf(db: Querier, { id, holdHours }: Owner, limit: number[] | null): Promise<PoolHold> {
  const hold = await firstRow<{ until: Date | null; offAt: Date | null; on: boolean }>(db)`
    select case when until > now() then until end as until, off_at, off_at is null or off_at > now() as "on"
    from pool_hold
    where user_id = ${id} and (off_at is null or off_at > now() or until > now())`;
  const inForce = await rowsOf<PoolHold['inForce'][number]>(db)`
    select sub_account_id, algorithm as algo, name, url from pool_in_force
    where user_id = ${id} and enabled and ${Boolean(hold?.until)}
      and (${limit}::int[] is null or sub_account_id = any(${limit}))
    order by sub_account_id, algorithm, priority`;
  const places = (view: 'pool_in_force' | 'edited_pool') => shownPlaces(db, id, view, limit);
  return {
    on: hold?.on ?? false,
    hours: holdHours,
    offAt: hold?.offAt?.toISOString() ?? null,
    until: hold?.until?.toISOString() ?? null,
    inForce,
    ...(hold?.until ? { shown: changedLists(await places('pool_in_force'), await places('edited_pool')) } : {}),
  };
}
