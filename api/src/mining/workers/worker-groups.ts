/** Worker groups, and changes of many workers at once. Every query checks the owner. */
import type { Pool, PoolClient } from 'pg';
import type { GroupPower, WorkerGroup } from '@pool/shared/api/contract';
import { INACTIVE_AFTER_S } from '@pool/shared/domain';
import { lockUser, subAccountsOf } from '../../accounts/accounts';
import { transaction } from '../../platform/db/transaction';
import { writeAudit } from '../../platform/audit';
import { firstRow, hasRow, oneRow, type Querier, rowsOf, sql, valueOf, valuesOf } from '../../platform/db/querier';
import { type GroupRow, powersOf } from './group-power';
import { found, problems } from '../../platform/refused';

const MAX_GROUPS = 200;

/** Groups of a user. `now`: Unix seconds; left out: without their power. */
export async function groupsOf(db: Querier, userId: number, now?: number): Promise<WorkerGroup[]> {
  const accounts = (await subAccountsOf(db, userId)).map(({ id }) => id);
  const groups = await rowsOf<GroupRow>(db)`
    select g.id, g.name, g.sub_account_id, g.usd_per_kwh, g.kilowatts, count(w.id)::int as workers
    from worker_group g
    left join worker w on w.sub_account_id = any(${accounts}::int[]) and w.sub_account_id = g.sub_account_id
      and w.group_id = g.id
    where g.sub_account_id = any(${accounts}::int[])
    group by 1, 2, 3, 4, 5
    order by 3, 2`;
  const limits = await rowsOf<{ groupId: number; share: number; told: boolean }>(db)`
    select group_id, share, told from group_limit where group_id = any(${groups.map(({ id }) => id)}::int[])`;
  const limitOf = new Map(limits.map((limit) => [limit.groupId, limit]));
  const powerOf = now === undefined ? null : await powersOf(db, groups, now);
  return groups.map(({ usdPerKwh: _price, kilowatts: _power, ...group }) => {
    const limit = limitOf.get(group.id);
    return {
      ...group,
      limit: limit?.share ?? null,
      ...(limit?.told ? { isBelow: true as const } : {}),
      ...(powerOf ? { power: powerOf.get(group.id) ?? null } : {}),
    };
  });
}

/** Id of a group by its name; 0, which no group has, when there is none. */
export const groupId = async (db: Querier, subAccountId: number, name: string): Promise<number> =>
  (await valueOf<number>(db)`
    select id from worker_group where sub_account_id = ${subAccountId} and name = ${name}`) ?? 0;

/** `actorId` and `ip`: for the audit log. `ownerId`: the user who must own the sub-account. */
export type Acting = { actorId: number; ownerId: number; ip: string };

/** Changes of an owner's workers and groups in a sub-account take turns; it is theirs, else throws `Refused`. */
export async function lockOwnAccount(client: PoolClient, userId: number, id: number): Promise<void> {
  await lockUser(client, userId);
  const isOwn = await hasRow(client)`
    select from sub_account where id = ${id} and user_id = ${userId} and deleted_at is null`;
  if (!isOwn) throw problems.notFound();
}
const nameTaken = () => problems.conflict('group_name_taken', 'There is a group of that name.');

export function makeGroup(pool: Pool, acting: Acting, subAccountId: number, name: string): Promise<WorkerGroup> {
  return transaction(pool, async (client) => {
    await lockOwnAccount(client, acting.ownerId, subAccountId);
    const isFull = await hasRow(client)`
      select from worker_group where sub_account_id = ${subAccountId} offset ${MAX_GROUPS - 1} limit 1`;
    if (isFull) throw problems.conflict('too_many_groups', `At most ${MAX_GROUPS} groups.`);
    const id = await valueOf<number>(client)`
      insert into worker_group (sub_account_id, name) values (${subAccountId}, ${name}) on conflict do nothing
      returning id`;
    if (id === undefined) throw nameTaken();
    await writeAudit(client, acting, 'worker_group.create', name, { after: { id, subAccountId } });
    return { id, name, subAccountId, workers: 0, limit: null };
  });
}

/** What is left out stays. `limit`: judged anew; null: none. `power` null: no price is known. */
export type GroupChange = { name?: string; limit?: number | null; power?: GroupPower | null };

export function changeGroup(
  pool: Pool,
  acting: Acting,
  { subAccountId, name }: { subAccountId: number; name: string },
  change: GroupChange,
): Promise<{ id: number }> {
  return transaction(pool, async (client) => {
    await lockOwnAccount(client, acting.ownerId, subAccountId);
    const id = await groupId(client, subAccountId, name);
    if (id === 0) throw problems.notFound();
    const next = change.name ?? name;
    if (next !== name && (await groupId(client, subAccountId, next)) !== 0) throw nameTaken();
    if (change.limit !== undefined) await setLimit(client, acting, { subAccountId, id, name }, change.limit);
    if (change.power !== undefined) await setPower(client, acting, { subAccountId, id, name }, change.power);
    if (next === name) return { id };
    await client.query(sql`
      update worker_group set name = ${next} where sub_account_id = ${subAccountId} and id = ${id}`);
    await writeAudit(client, acting, 'worker_group.rename', name, {
      before: { id, subAccountId, name },
      after: { name: next },
    });
    return { id };
  });
}

type Group = { subAccountId: number; id: number; name: string };

/** Sets the part of its expected hashrate below which a group is told of; null: it is not. */
async function setLimit(client: Querier, acting: Acting, { subAccountId, id, name }: Group, share: number | null) {
  const known = await valueOf<number>(client)`
    select share from group_limit where sub_account_id = ${subAccountId} and group_id = ${id}`;
  const before = known ?? null;
  if (before === share) return;
  await client.query(sql`delete from group_limit where sub_account_id = ${subAccountId} and group_id = ${id}`);
  if (share !== null)
    await client.query(sql`
      insert into group_limit (sub_account_id, group_id, share) values (${subAccountId}, ${id}, ${share})`);
  await writeAudit(client, acting, 'worker_group.limit', name, {
    before: { alertLimit: before },
    after: { alertLimit: share },
  });
}

async function setPower(client: Querier, acting: Acting, { subAccountId, id, name }: Group, power: GroupPower | null) {
  type Known = { usdPerKwh: number | null; kilowatts: number | null };
  const before = await oneRow<Known>(client)`
    select usd_per_kwh, kilowatts from worker_group where sub_account_id = ${subAccountId} and id = ${id}`;
  const after: Known = power ?? { usdPerKwh: null, kilowatts: null };
  if (before.usdPerKwh === after.usdPerKwh && before.kilowatts === after.kilowatts) return;
  await client.query(sql`
    update worker_group set usd_per_kwh = ${after.usdPerKwh}, kilowatts = ${after.kilowatts}
    where sub_account_id = ${subAccountId} and id = ${id}`);
  await writeAudit(client, acting, 'worker_group.power', name, { before, after });
}

/** Deletes a group; its workers are in no group then. Returns their ids. */
export function deleteGroup(pool: Pool, acting: Acting, subAccountId: number, name: string): Promise<number[]> {
  return transaction(pool, async (client) => {
    await lockOwnAccount(client, acting.ownerId, subAccountId);
    const row = await firstRow<{ id: number; usdPerKwh: number | null; kilowatts: number | null }>(client)`
      select id, usd_per_kwh, kilowatts from worker_group where sub_account_id = ${subAccountId} and name = ${name}`;
    const gone = found(row);
    const members = await rowsOf<{ id: number; name: string }>(client)`
      update worker set group_id = null where sub_account_id = ${subAccountId} and group_id = ${gone.id}
      returning id, name`;
    await client.query(sql`
      delete from group_limit where sub_account_id = ${subAccountId} and group_id = ${gone.id}`);
    await client.query(sql`delete from worker_group where sub_account_id = ${subAccountId} and id = ${gone.id}`);
    await writeAudit(client, acting, 'worker_group.delete', name, {
      before: { ...gone, subAccountId, workers: { [name]: members.map((worker) => worker.name) } },
    });
    return members.map(({ id }) => id);
  });
}

export type Place = { subAccountId: number; account: string; algorithm: string };
export type BulkAction =
  | { action: 'group'; groupName: string | null }
  | { action: 'mute'; until?: number | null }
  | { action: 'unmute' | 'confirm' | 'delete' };
type Named = Place & { worker: string };
/** `deleted`: workers whose connections have to end. */
export type BulkResult = { changed: number; places: Place[]; deleted: Named[] };
const ACTIVE = 'Only workers without a share in 24 hours, or with strange names, can be deleted.';

/** Changes all of the workers or none, of which the user owns each. */
export function changeWorkers(
  pool: Pool,
  { userId, ip }: { userId: number; ip: string },
  ids: readonly number[],
  change: BulkAction,
  now: number,
): Promise<BulkResult> {
  const wanted = [...new Set(ids)];
  const until = change.action === 'mute' ? change.until : undefined;
  return transaction(pool, async (client) => {
    await lockUser(client, userId);
    type Found = Named & { group: string | null; isStrange: boolean; lastShareAt: number | null };
    const rows = await rowsOf<Found>(client)`
      select w.sub_account_id, s.name as account, w.algorithm, w.name as worker, g.name as group,
        w.standing is not distinct from 'strange' as is_strange,
        extract(epoch from l.last_share_at)::float8 as last_share_at
      from worker w
      join sub_account s on s.id = w.sub_account_id
      left join worker_group g on g.sub_account_id = w.sub_account_id and g.id = w.group_id
      left join worker_live l on l.sub_account_id = w.sub_account_id and l.worker_id = w.id
      where w.id = any(${wanted}::int[]) and s.user_id = ${userId} and s.deleted_at is null
      order by w.id`;
    if (rows.length !== wanted.length) throw problems.notFound();
    const places = new Map(
      rows.map(({ subAccountId, account, algorithm }) => [
        `${subAccountId} ${algorithm}`,
        { subAccountId, account, algorithm },
      ]),
    );
    const accounts = [...new Set(rows.map((row) => row.subAccountId))];
    const those = 'sub_account_id = any($2::int[]) and id = any($1::int[])';
    if (change.action === 'group' && change.groupName !== null) {
      const groups = await valuesOf<number>(client)`
        select id from worker_group where sub_account_id = any(${accounts}::int[])
          and name = ${change.groupName}`;
      if (groups.length !== accounts.length) throw problems.notFound();
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
        throw problems.conflict('worker_active', ACTIVE);
      await client.query(`delete from worker where ${those}`, [wanted, accounts]);
      await client.query(
        'delete from worker_join where worker_id = any($1::int[]) and sub_account_id = any($2::int[])',
        [wanted, accounts],
      );
    } else if (change.action !== 'confirm') {
      await client.query(`update worker set muted = $3, muted_until = to_timestamp($4::float8) where ${those}`, [
        wanted,
        accounts,
        change.action === 'mute',
        until === null ? Infinity : until,
      ]);
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
        after: {
          ids: wanted,
          ...('groupName' in change ? { groupName: change.groupName } : {}),
          ...(until === undefined
            ? {}
            : { mutedUntil: until === null ? 'over' : new Date(until * 1000).toISOString() }),
        },
      },
    );
    const deleted = change.action === 'delete' ? rows : [];
    return { changed: wanted.length, places: [...places.values()], deleted };
  });
}

/** Names of workers by their groups; of those in no group by an empty name. */
function byGroup(rows: readonly { worker: string; group: string | null }[]): Record<string, string[]> {
  const groups: Record<string, string[]> = Object.create(null);
  for (const { worker, group } of rows) (groups[group ?? ''] ??= []).push(worker);
  return groups;
}

/** Sets the part (0 to 1) of a worker's 24 h mean below which it is `low`. */
export function setAlertLimit(
  pool: Pool,
  { userId, ip }: { userId: number; ip: string },
  id: number,
  alertLimit: number,
): Promise<Place> {
  return transaction(pool, async (client) => {
    await lockUser(client, userId);
    const known = await firstRow<Place & { name: string; before: number }>(client)`
      select w.name, w.alert_limit as before, w.sub_account_id, s.name as account, w.algorithm
      from worker w
      join sub_account s on s.id = w.sub_account_id
      where w.id = ${id} and s.user_id = ${userId} and s.deleted_at is null`;
    const row = found(known);
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
