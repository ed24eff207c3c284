/** The rule that whoever approved a payment does not send it. Two admins together end it. */
import type { PaymentSettings } from '@pool/shared/api/contract';
import type { PoolClient } from 'pg';
import { writeAudit, type Actor } from '../accounts/audit';
import type { Querier } from '../db/querier';

type FourEyes = Omit<PaymentSettings, 'waiting'>;

export const FOUR_EYES = 'payments.four_eyes';
/** Name of the admin who asked to end the rule. */
const OFF_ASKED_BY = 'payments.four_eyes_off_asked_by';

export async function fourEyesOf(db: Querier): Promise<FourEyes> {
  const { rows } = await db.query<{ name: string; value: boolean | string | null }>(
    'select name, value from setting where name in ($1, $2)',
    [FOUR_EYES, OFF_ASKED_BY],
  );
  const valueOf = (name: string) => rows.find((row) => row.name === name)?.value;
  const asked = valueOf(OFF_ASKED_BY);
  return { fourEyes: valueOf(FOUR_EYES) === true, offAskedBy: typeof asked === 'string' ? asked : null };
}

/** An admin who asks to end the rule alone only leaves the request; asking for the rule withdraws it. */
export async function setFourEyes(
  client: PoolClient,
  actor: Actor,
  userName: string,
  wanted: { fourEyes: boolean },
): Promise<FourEyes> {
  await client.query('lock table setting in share row exclusive mode');
  const before = await fourEyesOf(client);
  const confirmed = before.offAskedBy !== null && before.offAskedBy !== userName;
  const isAsked = before.fourEyes && !wanted.fourEyes && !confirmed;
  const after: FourEyes = {
    fourEyes: wanted.fourEyes || isAsked,
    offAskedBy: isAsked ? userName : null,
  };
  await client.query(
    `insert into setting (name, value) values ($1, $2), ($3, $4)
     on conflict (name) do update set value = excluded.value, updated_at = now()`,
    [FOUR_EYES, JSON.stringify(after.fourEyes), OFF_ASKED_BY, JSON.stringify(after.offAskedBy)],
  );
  await writeAudit(client, actor, 'payment_settings.change', null, { before, after });
  return after;
}
