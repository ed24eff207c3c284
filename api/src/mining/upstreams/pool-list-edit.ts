/** Edits sub-accounts' lists of upstream pools. Every query checks the owner; a list is locked by its sub-account. */
import type { Pool, PoolClient } from 'pg';
import type { AlgorithmName } from '@pool/shared/domain';
import { rolledBack, type Run } from '../../platform/db/transaction';
import { writeAudit } from '../../platform/audit';
import { takeWarning, warnOfList } from './list-warning';
import type { PoolConfigRow } from './pool-configs';
import { cancelHeld, holdLists, type Owner } from './pool-hold';
import { changedLists, shownPlaces, type ShownLists } from './shown-lists';
import { firstRow, rowsOf, sql, valueOf, valuesOf } from '../../platform/db/querier';
import { found, problems } from '../../platform/refused';

/** Pools per list; the proxy looks at each of them. */
export const MAX_IN_LIST = 10;

export type NewPlace = { poolConfigId: number; enabled: boolean };
type Entry = { id: number; poolConfigId: number; name: string; enabled: boolean };

async function lockAccount(client: PoolClient, userId: number, subAccountId: number): Promise<string> {
  const name = await valueOf<string>(client)`
    select name from sub_account where id = ${subAccountId} and user_id = ${userId} and deleted_at is null
    for update`;
  return found(name);
}

const listOf = (client: PoolClient, subAccountId: number, algorithm: AlgorithmName): Promise<Entry[]> =>
  rowsOf<Entry>(client)`select c.id, c.pool_config_id, p.name, c.enabled
    from sub_account_pool_config c join pool_config p on p.id = c.pool_config_id
    where c.sub_account_id = ${subAccountId} and c.algorithm = ${algorithm}
    order by c.priority`;

/** The user's saved pools, locked against deletion. Throws `Refused` when one is missing. */
async function lockConfigs(
  client: PoolClient,
  userId: number,
  ids: readonly number[],
): Promise<Map<number, PoolConfigRow>> {
  const rows = await rowsOf<PoolConfigRow>(client)`
    select * from pool_config where id = any(${ids}::int[]) and user_id = ${userId} order by id for share`;
  const configs = new Map(rows.map((row) => [row.id, row]));
  if (ids.some((id) => !configs.has(id))) throw problems.notFound();
  return configs;
}

const setOrder = (client: PoolClient, ids: readonly number[]): Promise<unknown> =>
  client.query(sql`update sub_account_pool_config c set priority = o.place
    from unnest(${ids}::int[]) with ordinality as o(id, place)
    where c.id = o.id`);

/** `changed`: the sub-accounts whose lists may be others now. */
export type ListChange = { subAccountId: number; changed: readonly number[] };

/** Changes a list, records both states in the audit log, and warns its owner; first it holds the change if that is wanted. */
async function edit(
  client: PoolClient,
  owner: Owner,
  account: string,
  [subAccountId, algorithm]: [number, AlgorithmName],
  action: string,
  work: (before: Entry[]) => Promise<void>,
): Promise<ListChange> {
  const before = await listOf(client, subAccountId, algorithm);
  const until = action === 'undo' ? null : await holdLists(client, owner);
  await work(before);
  const after = await listOf(client, subAccountId, algorithm);
  await writeAudit(client, { actorId: owner.id, ip: owner.ip }, `pool_list.${action}`, account, {
    before: { algorithm, list: before },
    after: { algorithm, list: after, ...(until && { heldUntil: until }) },
  });
  if (action !== 'undo') await warnOfList(client, owner, { account, algorithm, before, after }, until);
  return { subAccountId, changed: [subAccountId] };
}

/** The lists that an edit changes, whole, before and after it, by the code that makes it. */
export async function listsAround(
  pool: Pool,
  userId: number,
  make: (run: Run) => Promise<unknown>,
): Promise<ShownLists> {
  let lists: ShownLists | undefined;
  await make((work) =>
    rolledBack(pool, async (client) => {
      const before = await shownPlaces(client, userId, 'edited_pool');
      const result = await work(client);
      lists = changedLists(before, await shownPlaces(client, userId, 'edited_pool'));
      return result;
    }),
  );
  return lists ?? changedLists([], []);
}

export function addPlace(
  run: Run,
  owner: Owner,
  subAccountId: number,
  { poolConfigId, enabled }: NewPlace,
): Promise<ListChange> {
  return run(async (client) => {
    const account = await lockAccount(client, owner.id, subAccountId);
    const config = found((await lockConfigs(client, owner.id, [poolConfigId])).get(poolConfigId));
    return edit(client, owner, account, [subAccountId, config.algorithm], 'add', async (list) => {
      if (list.some((entry) => entry.poolConfigId === poolConfigId))
        throw problems.conflict('pool_in_list', 'It is in the list already.');
      if (list.length >= MAX_IN_LIST) throw problems.conflict('list_full', `At most ${MAX_IN_LIST} pools in a list.`);
      await client.query(sql`
        insert into sub_account_pool_config (sub_account_id, pool_config_id, algorithm, priority, enabled)
        values (${subAccountId}, ${poolConfigId}, ${config.algorithm}, ${list.length + 1}, ${enabled})`);
    });
  });
}

/** Writes the list of an algorithm, best first; places that stay keep their ids. */
async function writeList(
  client: PoolClient,
  subAccountId: number,
  algorithm: AlgorithmName,
  places: readonly NewPlace[],
): Promise<void> {
  const ids = places.map(({ poolConfigId }) => poolConfigId);
  await client.query(sql`delete from sub_account_pool_config
    where sub_account_id = ${subAccountId} and algorithm = ${algorithm} and pool_config_id <> all(${ids}::int[])`);
  await client.query(sql`
    insert into sub_account_pool_config (sub_account_id, pool_config_id, algorithm, priority, enabled)
    select ${subAccountId}, o.id, ${algorithm}, o.place, o.enabled
    from unnest(${ids}::int[], ${places.map(({ enabled }) => enabled)}::boolean[]) with ordinality as o(id, enabled,
      place)
    on conflict (sub_account_id, pool_config_id)
      do update set priority = excluded.priority, enabled = excluded.enabled`);
}

export function replaceList(
  run: Run,
  owner: Owner,
  subAccountId: number,
  algorithm: AlgorithmName,
  places: readonly NewPlace[],
): Promise<ListChange> {
  return run(async (client) => {
    const account = await lockAccount(client, owner.id, subAccountId);
    const ids = places.map(({ poolConfigId }) => poolConfigId);
    if (new Set(ids).size !== ids.length) throw problems.conflict('pool_in_list', 'A pool is in the list twice.');
    if (ids.length > MAX_IN_LIST) throw problems.conflict('list_full', `At most ${MAX_IN_LIST} pools in a list.`);
    const configs = await lockConfigs(client, owner.id, ids);
    if ([...configs.values()].some((config) => config.algorithm !== algorithm))
      throw problems.conflict('not_the_list', 'A pool is of another algorithm.');
    return edit(client, owner, account, [subAccountId, algorithm], 'replace', () =>
      writeList(client, subAccountId, algorithm, places),
    );
  });
}

/** Finds the list a place is in, locks it and edits it. Throws `Refused`. */
function editPlace(
  run: Run,
  owner: Owner,
  id: number,
  action: string,
  work: (client: PoolClient, list: Entry[]) => Promise<void>,
): Promise<ListChange> {
  return run(async (client) => {
    const find = () => firstRow<{ subAccountId: number; algorithm: AlgorithmName }>(client)`
      select c.sub_account_id, c.algorithm
      from sub_account_pool_config c join sub_account s on s.id = c.sub_account_id
      where c.id = ${id} and s.user_id = ${owner.id}`;
    const { subAccountId, algorithm } = found(await find());
    const account = await lockAccount(client, owner.id, subAccountId);
    // It may have been removed while this waited for the lock.
    found(await find());
    return edit(client, owner, account, [subAccountId, algorithm], action, (list) => work(client, list));
  });
}

/** A priority past the end of the list becomes the last. Throws `Refused`. */
export const changePlace = (
  run: Run,
  owner: Owner,
  id: number,
  { enabled, priority }: { enabled?: boolean; priority?: number },
) =>
  editPlace(run, owner, id, 'change', async (client, list) => {
    if (enabled !== undefined)
      await client.query(sql`update sub_account_pool_config set enabled = ${enabled} where id = ${id}`);
    if (priority === undefined) return;
    const ids = list.map((entry) => entry.id).filter((other) => other !== id);
    ids.splice(priority - 1, 0, id);
    await setOrder(client, ids);
  });

export const removePlace = (run: Run, owner: Owner, id: number) =>
  editPlace(run, owner, id, 'remove', async (client, list) => {
    await client.query(sql`delete from sub_account_pool_config where id = ${id}`);
    await setOrder(
      client,
      list.map((entry) => entry.id).filter((other) => other !== id),
    );
  });

/** `ids`: exactly the places of the list, best first; else nothing is changed. Throws `Refused`. */
export function reorder(
  run: Run,
  owner: Owner,
  subAccountId: number,
  algorithm: AlgorithmName,
  ids: readonly number[],
): Promise<ListChange> {
  return run(async (client) => {
    const account = await lockAccount(client, owner.id, subAccountId);
    return edit(client, owner, account, [subAccountId, algorithm], 'reorder', async (list) => {
      const wanted = new Set(ids);
      if (wanted.size !== ids.length || list.length !== ids.length || list.some((entry) => !wanted.has(entry.id)))
        throw problems.conflict('not_the_list', 'These are not exactly the pools of the list: read it again.');
      await setOrder(client, ids);
    });
  });
}

/** Takes back the warned change once, with all held ones; a list that may be a thief's takes a `recent` sign-in. */
export function undoListChange(
  run: Run,
  owner: Owner,
  { id: noteId, reader }: { id: number; reader: number },
  recent: boolean,
): Promise<ListChange> {
  return run(async (client) => {
    const { account, algorithm, before, again, ...warned } = found(await takeWarning(client, owner.id, noteId, reader));
    const subAccountId = found(
      await valueOf<number>(client)`select id from sub_account where name = ${account} and user_id = ${owner.id}`,
    );
    const held = await cancelHeld(client, owner, recent);
    if (again && !recent && !warned.held) throw problems.reverify();
    if (held && warned.held) return { subAccountId, changed: held };
    await lockAccount(client, owner.id, subAccountId);
    const exist = await valuesOf<number>(client)`
      select id from pool_config where id = any(${before.map(({ poolConfigId }) => poolConfigId)}::int[])
        and user_id = ${owner.id} and algorithm = ${algorithm} order by id for share`;
    const left = before.filter(({ poolConfigId }) => exist.includes(poolConfigId));
    const change = await edit(client, owner, account, [subAccountId, algorithm], 'undo', () =>
      writeList(client, subAccountId, algorithm, left),
    );
    return held ? { ...change, changed: held } : change;
  });
}
