/** What a person made for an organization (watcher links, API keys, webhooks): it is worth what he could make now. */
import type { TelegramEvent } from '@pool/shared/api/contract';
import { ORGANIZATION_ROLES, rightsOf } from '@pool/shared/roles';

/** What a webhook of a member tells who sees money and changes no machines. */
export const OF_MONEY: readonly TelegramEvent[] = ['payment', 'wallet', 'digest'];

type Subject = 'access' | 'webhooks' | 'workers';
const rolesWith = (subject: Subject): string =>
  ORGANIZATION_ROLES.filter((role) => rightsOf({ role, money: false, limited: false })[subject] === 'manage')
    .map((role) => `'${role}'`)
    .join(', ');

/** SQL condition: who made `t` could make it now. A member who is limited to sub-accounts cannot. `more`: a further condition on the member `m`. */
const holds = (subject: Subject, more = 'true'): string => `(coalesce(t.made_by, t.user_id) = t.user_id or exists (
  select from organization o join organization_member m on m.organization_id = o.id
  where o.user_id = t.user_id and m.user_id = t.made_by and m.accounts is null
    and m.role in (${rolesWith(subject)}) and ${more}))`;
/** SQL conditions on the token or webhook `t`. */
export const TOKEN_HELD = holds('access');
export const HOOK_HELD = holds(
  'webhooks',
  `(m.role in (${rolesWith('workers')}) or t.events <@ array['${OF_MONEY.join("', '")}'])`,
);
/** SQL: the name of the person of an organization who made `t`; null: of an account that is no organization's. */
export const MAKER = `(select coalesce(i.user_name, p.user_name)
  from app_user p left join identity_user i on i.id = p.identity_id where p.id = nullif(t.made_by, t.user_id))`;
/** SQL condition: who made `t` can sign in. */
export const MAKER_ENABLED =
  'exists (select from app_user p where p.id = coalesce(t.made_by, t.user_id) and not p.disabled)';
