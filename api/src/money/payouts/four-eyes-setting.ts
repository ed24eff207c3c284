/** The rule that whoever approved a payment does not send it. Two admins together end it. */
import type { PaymentSettings } from '@pool/shared/api/contract';
import type { PoolClient } from 'pg';
import { askFor, confirms, IS_LIVE, isNewAdmin } from '../../accounts/second-admin';
import { writeAudit, type Actor } from '../../platform/audit';
import { writeAdminNotes } from '../../messages/notifications';
import { type Querier, raw, sql } from '../../platform/db/querier';

type FourEyes = Omit<PaymentSettings, 'waiting'>;

export const FOUR_EYES = 'payments.four_eyes';

/** An admin whom another one has made a few days ago does not end the rule, nor asks to. */
export class NewAdmin extends Error {
  override readonly name = 'NewAdmin';
}

export async function fourEyesOf(db: Querier): Promise<FourEyes> {
  const { rows } = await db.query<FourEyes>(sql`
    select coalesce((select value = 'true' from setting where name = ${FOUR_EYES}), false) as "fourEyes",
    (select u.user_name from admin_request r join app_user u on u.id = r.asked_by
     where r.what = 'four_eyes_off' and ${raw(IS_LIVE)}) as "offAskedBy"`);
  return rows[0] ?? { fourEyes: false, offAskedBy: null };
}

/** An admin who asks to end the rule alone only leaves the request; asking for the rule withdraws it. */
export async function setFourEyes(
  client: PoolClient,
  actor: Actor & { actorId: number },
  userName: string,
  wanted: { fourEyes: boolean },
  now: number,
): Promise<FourEyes> {
  await client.query('lock table setting in share row exclusive mode');
  const before = await fourEyesOf(client);
  const isEnding = before.fourEyes && !wanted.fourEyes;
  if (isEnding && (await isNewAdmin(client, actor.actorId))) throw new NewAdmin();
  const isAsked = isEnding && !(await confirms(client, 'four_eyes_off', actor.actorId));
  await client.query(sql`
    insert into setting (name, value) values (${FOUR_EYES}, ${JSON.stringify(wanted.fourEyes || isAsked)})
    on conflict (name) do update set value = excluded.value, updated_at = now()`);
  if (isAsked) await askFor(client, actor, { what: 'four_eyes_off', userName, kind: 'admins_rule_asked' }, now);
  else if (isEnding) await writeAdminNotes(client, { kind: 'admins_rule_off', values: { user: userName } }, now);
  if (wanted.fourEyes) await client.query("delete from admin_request where what = 'four_eyes_off'");
  const rules = await fourEyesOf(client);
  await writeAudit(client, actor, 'payment_settings.change', null, { before, after: rules });
  return rules;
}
