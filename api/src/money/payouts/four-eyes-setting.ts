/** The rule that whoever approved a payment does not send it. Two admins together end it. */
import type { Call, PaymentSettings } from '@pool/shared/api/contract';
import type { PoolClient } from 'pg';
import { confirming, settle, waitingIn, type Waiting } from '../../accounts/waiting/waiting';
import { writeAudit, type Actor } from '../../platform/audit';
import { writeAdminNotes } from '../../messages/notifications';
import { hasRow, type Querier, sql } from '../../platform/db/querier';
import { problems } from '../../platform/refused';

type FourEyes = Omit<PaymentSettings, 'waiting'>;

export const FOUR_EYES = 'payments.four_eyes';

const askedToEnd = async (db: Querier): Promise<Waiting | undefined> =>
  (await waitingIn(db, null)).find(({ call }) => call === ('PUT /admin/paymentSettings' satisfies Call));

export async function fourEyesOf(db: Querier): Promise<FourEyes> {
  const fourEyes = await hasRow(db)`select from setting where name = ${FOUR_EYES} and value = 'true'`;
  return { fourEyes, offAskedBy: fourEyes ? ((await askedToEnd(db))?.name ?? null) : null };
}

/** Asking for the rule withdraws what asks for its end. */
export async function setFourEyes(
  client: PoolClient,
  actor: Actor & { actorId: number },
  userName: string,
  { fourEyes }: { fourEyes: boolean },
  now: number,
): Promise<FourEyes> {
  await client.query('lock table setting in share row exclusive mode');
  const before = await fourEyesOf(client);
  const isEnding = before.fourEyes && !fourEyes;
  if (isEnding && !confirming.getStore()) throw problems.conflict('second_admin');
  await client.query(sql`
    insert into setting (name, value) values (${FOUR_EYES}, ${JSON.stringify(fourEyes)})
    on conflict (name) do update set value = excluded.value, updated_at = now()`);
  if (isEnding) await writeAdminNotes(client, { kind: 'admins_rule_off', values: { user: userName } }, now);
  const asked = fourEyes ? await askedToEnd(client) : undefined;
  if (asked) await settle(client, asked.id, 'waits', 'taken_back', null);
  const rules = await fourEyesOf(client);
  await writeAudit(client, actor, 'payment_settings.change', null, { before, after: rules });
  return rules;
}
