/** Warns of changes of pools. The notification remembers the list before, so that it can be taken back. */
import type { PoolClient } from 'pg';
import { isAlgorithm, type AlgorithmName } from '@pool/shared/domain';
import { writeNotes } from '../../messages/notifications';
import { firstRow, hasRow, rowsOf, sql } from '../../platform/db/querier';

/** `pools_default`: no pool of the list is enabled; `pools_held`: the change is held (pool-hold.ts). */
const KINDS = ['pools_changed', 'pools_default', 'pools_held'] as const;
const [CHANGED, DEFAULT, HELD] = KINDS;
const UNDO_DAYS = 7;

type Place = { poolConfigId: number; enabled: boolean };
type NamedPlace = Place & { name: string };

/** `12,-13`: ids of pools, best first; a disabled one is negative. */
const textOf = (list: readonly Place[]): string =>
  list.map(({ poolConfigId, enabled }) => (enabled ? poolConfigId : -poolConfigId)).join();
const listOfText = (text: string): Place[] =>
  text
    .split(',')
    .filter(Boolean)
    .map((id) => ({ poolConfigId: Math.abs(Number(id)), enabled: Number(id) > 0 }));

const ending = (until: Date | null): Record<string, string> => (until ? { until: until.toISOString() } : {});

const firstOf = <P extends Place>(list: readonly P[]): P | undefined => list.find(({ enabled }) => enabled);

/** Warns when another pool is the first. `until`: it is held so long. */
export async function warnOfList(
  client: PoolClient,
  owner: { id: number; ip: string },
  change: { account: string; algorithm: AlgorithmName; before: readonly Place[]; after: readonly NamedPlace[] },
  until: Date | null,
): Promise<void> {
  const { account, algorithm, before, after } = change;
  const first = firstOf(after);
  if (firstOf(before)?.poolConfigId === first?.poolConfigId) return;
  const values = {
    account,
    algorithm,
    pool: first?.name ?? '',
    ip: owner.ip,
    before: textOf(before),
    ...ending(until),
  };
  const kind = until ? HELD : first ? CHANGED : DEFAULT;
  await writeNotes(client, [{ userId: owner.id, kind, values }], Date.now() / 1000);
}

/** Warns that a pool has another address or user. Taking it back disables it: its password before is not kept. */
export async function warnOfPool(
  client: PoolClient,
  owner: { id: number; ip: string },
  { id, name }: { id: number; name: string },
  until: Date | null,
): Promise<void> {
  const rows = await rowsOf<{ account: string; algorithm: AlgorithmName; before: string }>(client)`
    select s.name as account, c.algorithm,
      string_agg(
        (case when c.enabled and c.pool_config_id <> ${id} then 1 else -1 end * c.pool_config_id)::text, ','
        order by c.priority
      ) as before
    from sub_account_pool_config c join sub_account s on s.id = c.sub_account_id
    where s.user_id = ${owner.id} and s.deleted_at is null
    group by s.id, s.name, c.algorithm
    having bool_or(c.enabled and c.pool_config_id = ${id})`;
  const notes = rows.map((row) => ({
    userId: owner.id,
    kind: until ? HELD : CHANGED,
    values: { ...row, pool: name, ip: owner.ip, ...ending(until) },
  }));
  await writeNotes(client, notes, Date.now() / 1000);
}

/** The list before a warned change, which is marked; null: late. `again`: may be a thief's. `held`: not in force. */
export async function takeWarning(
  client: PoolClient,
  userId: number,
  noteId: number,
  reader: number,
): Promise<{ account: string; algorithm: AlgorithmName; before: Place[]; again: boolean; held: boolean } | null> {
  const row = await firstRow<{
    values: Record<'account' | 'algorithm' | 'before', string>;
    again: boolean;
    held: boolean;
  }>(client)`update notification n
    set values = n.values || '{"undone": 1}', read_at = coalesce(n.read_at, now())
    where n.id = (
        select o.id from notification r
        join notification o
          on o.user_id = ${userId} and o.kind = r.kind and o.created_at = r.created_at and o.values = r.values
        where r.id = ${noteId} and r.user_id = ${reader})
      and n.kind = any(${KINDS}) and not n.values ? 'undone'
      and n.created_at > now() - make_interval(days => ${UNDO_DAYS})
    returning n.values, exists (
      select from notification o
      where o.user_id = n.user_id and o.id < n.id and o.kind = any(${KINDS})
        and o.values ->> 'account' = n.values ->> 'account' and o.values ->> 'algorithm' = n.values ->> 'algorithm'
        and o.created_at > n.created_at - interval '30 days'
    ) as again,
      exists (
        select from pool_hold h where h.user_id = n.user_id and h.until > now() and h.since <= n.created_at
      ) as held`;
  if (row && reader !== userId)
    await client.query(sql`update notification n set values = n.values || '{"undone": 1}'
      from organization o join organization_member m on m.organization_id = o.id
      where o.user_id = ${userId} and n.user_id = m.user_id and n.kind = any(${KINDS})
        and n.values = ${JSON.stringify(row.values)}::jsonb - 'undone'`);
  if (!row || !isAlgorithm(row.values.algorithm)) return null;
  const { account, algorithm, before } = row.values;
  return { account, algorithm, before: listOfText(before), again: row.again, held: row.held };
}

/** Whether the lists that were in force at `since` were changed in the 30 days before, so that they may be a thief's. */
export async function changedBefore(client: PoolClient, userId: number, since: Date): Promise<boolean> {
  return hasRow(client)`select from notification
    where user_id = ${userId} and kind = any(${KINDS}) and not values ? 'undone' and created_at < ${since}
      and created_at > ${since}::timestamptz - interval '30 days'
    limit 1`;
}
