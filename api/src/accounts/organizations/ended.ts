/** The end of what a person made for an organization and could not make any more (messages/makers.ts). */
import { deleteHooks } from '../../messages/outbox/events';
import { writeNotes } from '../../messages/notifications';
import { writeAudit } from '../../platform/audit';
import { type Querier, raw, rowsOf } from '../../platform/db/querier';
import { HOOK_HELD, TOKEN_HELD } from '../../messages/makers';

type Ended = { id: number; kind: 'watcher' | 'api_key' | 'webhook'; userId: number; madeBy: number; name: string };

/** Ends all that its maker could not make any more, and tells the owners what. It is refused already, by the conditions. */
export async function endUnheld(tx: Querier): Promise<void> {
  const tokens = await rowsOf<Ended>(tx)`
    update access_token t set revoked_at = now()
    where t.made_by <> t.user_id and revoked_at is null and not ${raw(TOKEN_HELD)}
    returning id, kind, user_id, made_by, name || ' (' || prefix || '…)' as name`;
  const hooks = await rowsOf<Ended>(tx)`
    select id, 'webhook' as kind, user_id, made_by, split_part(url, '/', 3) as name from webhook t
    where t.made_by <> t.user_id and not ${raw(HOOK_HELD)} order by id`;
  for (const { userId, id } of hooks) await deleteHooks(tx, userId, id);
  const ended = [...tokens.sort((a, b) => a.id - b.id), ...hooks];
  for (const { id, kind, userId, name } of ended)
    await writeAudit(tx, { actorId: userId, ip: null }, `${kind}.end`, name, { before: { id } });
  const owners = await rowsOf<{ owner: number; organization: string; userId: number; madeBy: number; name: string }>(
    tx,
  )`
    select m.user_id as owner, o.name as organization, o.user_id, u.id as made_by,
      coalesce(i.user_name, u.user_name) as name
    from organization o join organization_member m on m.organization_id = o.id and m.role = 'owner'
    join app_user u on u.id = any(${ended.map(({ madeBy }) => madeBy)}::int[])
    left join identity_user i on i.id = u.identity_id
    where o.user_id = any(${ended.map(({ userId }) => userId)}::int[]) order by m.user_id`;
  const notes = owners.flatMap(({ owner, organization, userId, madeBy, name }) => {
    const names = ended.filter((each) => each.userId === userId && each.madeBy === madeBy).map((each) => each.name);
    const values = { organization, name, names: names.join(', ') };
    return names.length > 0 ? [{ userId: owner, kind: 'organization_ended', values }] : [];
  });
  await writeNotes(tx, notes, Date.now() / 1000);
}
