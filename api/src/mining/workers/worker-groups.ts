/** Worker groups, and changes of many workers at once. Every query checks the owner. */
import type { Pool, PoolClient } from 'pg';
import type { WorkerGroup } from '@pool/shared/api/contract';
import { INACTIVE_AFTER_S } from '@pool/shared/domain';
import { transaction } from '../../platform/db/transaction';
import { writeAudit } from '../../platform/audit';
import { firstRow, hasRow, type Querier, rowsOf, sql } from '../../platform/db/querier';

export const MAX_GROUPS = 200;

export async function groupsOf(db: Querier, userId: number): Promise<WorkerGroup[]> {
  const groups = await rowsOf<WorkerGroup>(db)`
    select g.id, g.name, g.sub_account_id as "subAccountId", count(w.id)::int as workers
    from worker_group g
    join sub_account s on s.id = g.sub_account_id
    left join worker w on w.sub_account_id = g.sub_account_id and w.group_id = g.id
    where s.user_id = ${userId} and s.deleted_at is null
    group by 1, 2, 3
    order by 3, 2`;
  const limits = await rowsOf<{ groupId: number; share: number }>(db)`
    select group_id, share from group_limit where group_id = any(${groups.map(({ id }) => id)}::int[])`;
  const shares = new Map(limits.map(({ groupId: id, share }) => [id, share]));
  return groups.map((group) => ({ ...group, limit: shares.get(group.id) ?? null }));
}

/** Id of a group by its name; 0, which no group has, when there is none. */
export async function groupId(db: Querier, subAccountId: number, name: string): Promise<number> {
  const row = await firstRow<{ id: number }>(db)`
    select id from worker_group where sub_account_id = ${subAccountId} and name = ${name}`;
  return row?.id ?? 0;
}

/** `actorId` and `ip`: for the audit log. `ownerId`: the user who must own the sub-account. */
export type Acting = { actorId: number; ownerId: number; ip: string };

/** Changes of an owner's workers and groups take turns. False: the sub-account, where one is named, is not theirs. */
export async function lockOwner(client: PoolClient, userId: number, subAccountId?: number): Promise<boolean> {
  await client.query(sql`select from app_user where id = ${userId} for no key update`);
  return hasRow(client)`
    select from sub_account
    where (${subAccountId ?? null}::int is null or id = ${subAccountId ?? null}) and user_id = ${userId}
      and deleted_at is null`;
}

export type MakeRefused = 'not_found' | 'group_name_taken' | 'too_many_groups';

export function makeGroup(
  pool: Pool,
  acting: Acting,
  subAccountId: number,
  name: string,
): Promise<WorkerGroup | MakeRefused> {
  return transaction(pool, async (client) => {
    if (!(await lockOwner(client, acting.ownerId, subAccountId))) return 'not_found';
    const isFull = await hasRow(client)`
      select from worker_group where sub_account_id = ${subAccountId} offset ${MAX_GROUPS - 1} limit 1`;
    if (isFull) return 'too_many_groups';
    const made = await firstRow<{ id: number }>(client)`
      insert into worker_group (sub_account_id, name) values (${subAccountId}, ${name}) on conflict do nothing
      returning id`;
    if (!made) return 'group_name_taken';
    await writeAudit(client, acting, 'worker_group.create', name, { after: { id: made.id, subAccountId } });
    return { id: made.id, name, subAccountId, workers: 0, limit: null };
  });
}

export function renameGroup(
  pool: Pool,
  acting: Acting,
  subAccountId: number,
  name: string,
  next: string,
): Promise<Omit<WorkerGroup, 'limit'> | Exclude<MakeRefused, 'too_many_groups'>> {
  return transaction(pool, async (client) => {
    if (!(await lockOwner(client, acting.ownerId, subAccountId))) return 'not_found';
    const { rows } = await client.query<{ id: number; name: string; workers: number }>(sql`
      select g.id, g.name,
        (select count(*)::int from worker w where w.sub_account_id = ${subAccountId} and w.group_id = g.id) as workers
      from worker_group g
      where g.sub_account_id = ${subAccountId} and g.name = any(${[name, next]}::text[])`);
    const group = rows.find((row) => row.name === name);
    if (!group) return 'not_found';
    if (next === name) return { ...group, subAccountId };
    if (rows.length > 1) return 'group_name_taken';
    await client.query(sql`
      update worker_group set name = ${next} where sub_account_id = ${subAccountId} and id = ${group.id}`);
    await writeAudit(client, acting, 'worker_group.rename', name, {
      before: { id: group.id, subAccountId, name },
      after: { name: next },
    });
    return { ...group, name: next, subAccountId };
  });
}

/** Sets the part of its expected hashrate below which a group is told of, which is judged anew; null: it is not. */
export function setGroupLimit(
  pool: Pool,
  acting: Acting,
  subAccountId: number,
  name: string,
  share: number | null,
): Promise<boolean> {
  return transaction(pool, async (client) => {
    if (!(await lockOwner(client, acting.ownerId, subAccountId))) return false;
    const id = await groupId(client, subAccountId, name);
    if (id === 0) return false;
    const before = await firstRow<{ share: number }>(client)`
      delete from group_limit where sub_account_id = ${subAccountId} and group_id = ${id} returning share`;
    if (share !== null)
      await client.query(sql`
        insert into group_limit (sub_account_id, group_id, share) values (${subAccountId}, ${id}, ${share})`);
    await writeAudit(client, acting, 'worker_group.limit', name, {
      before: { alertLimit: before?.share ?? null },
      after: { alertLimit: share },
    });
    return true;
  });
}

/** Deletes a group; its workers are in no group then. Returns their ids; null when the group does not exist. */
export function deleteGroup(pool: Pool, acting: Acting, subAccountId: number, name: string): Promise<number[] | null> {
  return transaction(pool, async (client) => {
    if (!(await lockOwner(client, acting.ownerId, subAccountId))) return null;
    const gone = await firstRow<{ id: number }>(client)`
      select id from worker_group where sub_account_id = ${subAccountId} and name = ${name}`;
    if (!gone) return null;
    const key = [subAccountId, gone.id];
    const { rows: members } = await client.query<{ id: number; name: string }>(
      'update worker set group_id = null where sub_account_id = $1 and group_id = $2 returning id, name',
      key,
    );
    await client.query('delete from group_limit where sub_account_id = $1 and group_id = $2', key);
    await client.query('delete from worker_group where sub_account_id = $1 and id = $2', key);
    await writeAudit(client, acting, 'worker_group.delete', name, {
      before: { id: gone.id, subAccountId, workers: { [name]: members.map((worker) => worker.name) } },
    });
    return members.map(({ id }) => id);
  });
}

export type Place = { subAccountId: number; account: string; algorithm: string };
export type BulkAction =
  | { action: 'group'; groupName: string | null }
  | { action: 'mute' | 'unmute' | 'confirm' | 'delete' };
type Named = Place & { worker: string };
/** `deleted`: workers whose connections have to end. */
export type BulkResult =
  | { refused: 'not_found' | 'worker_active' }
  | { refused: null; changed: number; places: Place[]; deleted: Named[] };

/** Changes all of the workers or none, of which the user owns each. */
export function changeWorkers(
  pool: Pool,
  { userId, ip }: { userId: number; ip: string },
  ids: readonly number[],
  change: BulkAction,
  now: number,
): Promise<BulkResult> {
  const wanted = [...new Set(ids)];
  return transaction(pool, async (client): Promise<BulkResult> => {
    await lockOwner(client, userId);
    const { rows } = await client.query<
      Named & { group: string | null; isStrange: boolean; lastShareAt: number | null }
    >(sql`
      select w.sub_account_id as "subAccountId", s.name as account, w.algorithm, w.name as worker,
        g.name as group,
        w.standing is not distinct from 'strange' as "isStrange",
        extract(epoch from l.last_share_at)::float8 as "lastShareAt"
      from worker w
      join sub_account s on s.id = w.sub_account_id
      left join worker_group g on g.sub_account_id = w.sub_account_id and g.id = w.group_id
      left join worker_live l on l.sub_account_id = w.sub_account_id and l.worker_id = w.id
      where w.id = any(${wanted}::int[]) and s.user_id = ${userId} and s.deleted_at is null
      order by w.id`);
    if (rows.length !== wanted.length) return { refused: 'not_found' };
    const places = new Map(
      rows.map(({ subAccountId, account, algorithm }) => [
        `${subAccountId} ${algorithm}`,
        { subAccountId, account, algorithm },
      ]),
    );
    const accounts = [...new Set(rows.map((row) => row.subAccountId))];
    const those = 'sub_account_id = any($2::int[]) and id = any($1::int[])';
    if (change.action === 'group' && change.groupName !== null) {
      const { rows: groups } = await client.query(sql`
        select id from worker_group where sub_account_id = any(${accounts}::int[])
          and name = ${change.groupName}`);
      if (groups.length !== accounts.length) return { refused: 'not_found' };
      await client.query(sql`update worker w
        set group_id = g.id
        from worker_group g
        where w.id = any(${wanted}::int[]) and w.sub_account_id = any(${accounts}::int[])
          and g.sub_account_id = w.sub_account_id and g.name = ${change.groupName}`);
    } else if (change.action === 'group') {
      await client.query(`update worker set group_id = null where ${those}`, [wanted, accounts]);
    } else if (change.action === 'delete') {
      const isActive = (at: number | null): boolean => at !== null && now - at <= INACTIVE_AFTER_S;
      if (rows.some(({ isStrange, lastShareAt }) => !isStrange && isActive(lastShareAt)))
        return { refused: 'worker_active' };
      await client.query(`delete from worker where ${those}`, [wanted, accounts]);
      await client.query(
        'delete from worker_join where worker_id = any($1::int[]) and sub_account_id = any($2::int[])',
        [wanted, accounts],
      );
    } else if (change.action !== 'confirm') {
      await client.query(`update worker set muted = $3 where ${those}`, [wanted, accounts, change.action === 'mute']);
    }
    if (change.action !== 'delete')
      await client.query(`update worker set standing = 'owned' where ${those}`, [wanted, accounts]);
    await writeAudit(
      client,
      { actorId: userId, ip },
      `worker.${change.action}`,
      [...new Set(rows.map((row) => row.account))].join(', '),
      {
        before: { workers: byGroup(rows) },
        after: { ids: wanted, ...('groupName' in change ? { groupName: change.groupName } : {}) },
      },
    );
    const deleted = change.action === 'delete' ? rows : [];
    return { refused: null, changed: wanted.length, places: [...places.values()], deleted };
  });
}

/** Names of workers by their groups; of those in no group by an empty name. */
function byGroup(rows: readonly { worker: string; group: string | null }[]): Record<string, string[]> {
  const groups: Record<string, string[]> = Object.create(null);
  for (const { worker, group } of rows) (groups[group ?? ''] ??= []).push(worker);
  return groups;
}

/** Sets the part (0 to 1) of a worker's 24 h mean below which it is `low`. Null: it is not the user's. */
export function setAlertLimit(
  pool: Pool,
  { userId, ip }: { userId: number; ip: string },
  id: number,
  alertLimit: number,
): Promise<Place | null> {
  return transaction(pool, async (client) => {
    await lockOwner(client, userId);
    const row = await firstRow<Place & { name: string; before: number }>(client)`
      select w.name, w.alert_limit as before, w.sub_account_id as "subAccountId", s.name as account, w.algorithm
      from worker w
      join sub_account s on s.id = w.sub_account_id
      where w.id = ${id} and s.user_id = ${userId} and s.deleted_at is null`;
    if (!row) return null;
    await client.query(sql`
      update worker set alert_limit = ${alertLimit}, standing = 'owned' where sub_account_id = ${row.subAccountId}
        and id = ${id}`);
    await writeAudit(client, { actorId: userId, ip }, 'worker.alert_limit', `${row.account}.${row.name}`, {
      before: { alertLimit: row.before },
      after: { alertLimit },
    });
    return row;
  });
}
