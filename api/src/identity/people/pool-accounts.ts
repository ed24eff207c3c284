/** What the embedded sign-in service needs of the pool. */
import type { Pool } from 'pg';
import { oneRow, type Querier, sql, valuesOf } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import type { AccountEvent, PoolAccounts } from '..';
import { createUser, nameTaken, userOf } from '../../accounts/accounts';
import { writeAudit } from '../../platform/audit';
import { becomeFirstAdmin } from '../../accounts/first-admin';
import { writeAdminNotes, writeNotes } from '../../messages/notifications';

/** Records a change of a user's sign-in and tells the user. `operator`: the command line made it. */
export async function recordEvent(
  tx: Querier,
  identityId: string,
  [group, name]: AccountEvent,
  { ip, operator = false, values = {} }: { ip: string; operator?: boolean; values?: Record<string, string> },
): Promise<void> {
  const user = await userOf(tx, identityId);
  if (!user) return;
  const { id: userId, userName } = user;
  await writeAudit(tx, { actorId: operator ? null : userId, ip }, `${group}.${name}`, userName);
  await writeNotes(tx, [{ userId, kind: `${group}_${name}`, values }], Date.now() / 1000);
}

/** Same as `PoolAccounts.hold`, also for the organizations whose money or pools the user changes. */
async function holdAll(tx: Querier, identityId: string, since: Date, hours: number): Promise<Date> {
  const { until } = await oneRow<{ until: Date }>(tx)`select now() + make_interval(secs => ${hours * 3600}) as until`;
  // An earlier change is over: it is not what is held.
  const ids = await valuesOf<number>(tx)`
    update app_user
    set referral_address_before = case when referral_hold_until > now() then referral_address_before end,
        referral_hold_until = case when referral_address is not null then greatest(referral_hold_until, ${until}) end
    where identity_id = ${identityId} or id in (
      select o.user_id
      from organization o
      join organization_member m on m.organization_id = o.id and m.role in ('owner', 'manager')
      join app_user u on u.id = m.user_id
      where u.identity_id = ${identityId})
    returning id`;
  await tx.query(sql`update sub_account
    set address_before = case when address_hold_until > now() then address_before end,
        address_hold_until = greatest(address_hold_until, ${until})
    where user_id = any(${ids}::int[]) and btc_address is not null and deleted_at is null`);
  await tx.query(sql`insert into pool_hold (user_id) select unnest(${ids}::int[])
    on conflict (user_id) do update
    set off_at = null,
        until = case when pool_hold.until > now() then greatest(pool_hold.until, ${until}) else pool_hold.until end`);
  await tx.query(sql`
    update access_token set revoked_at = now() where user_id = any(${ids}::int[]) and created_at >= ${since}
      and revoked_at is null`);
  await tx.query(sql`update organization_invitation set status = 'revoked'
    where invited_by = any(${ids}::int[]) and created_at >= ${since} and status = 'pending'`);
  return until;
}

/** `holdHours`: how long a changed payout address is held. */
export const poolAccounts = (db: Pool, holdHours = 72): PoolAccounts => ({
  nameTaken: (name) => nameTaken(db, name),
  isDisabled: async (identityId) => (await userOf(db, identityId))?.disabled ?? false,
  isAdmin: async (tx, identityId) => (await userOf(tx, identityId))?.role === 'admin',
  userCreated: async ({ operatorCode, ...identity }, tx) => {
    const user = await createUser(tx, identity);
    return operatorCode === undefined || becomeFirstAdmin(tx, user, operatorCode);
  },
  twoStepChanged: (identityId, change, ip, work) =>
    transaction(db, async (tx) => {
      const done = await work(tx);
      if (done !== null) await recordEvent(tx, identityId, ['two_step', change], { ip });
      return done;
    }),
  told: (tx, identityId, event, values, ip) => recordEvent(tx, identityId, event, { ip, values }),
  adminsTold: async (tx, identityId, values) => {
    const user = await userOf(tx, identityId);
    if (user?.role !== 'admin') return;
    const note = { kind: 'admins_sign_in', values: { ...values, user: user.userName } };
    await writeAdminNotes(tx, note, Date.now() / 1000, user.id);
  },
  emailIs: (tx, identityId, email) =>
    tx.query(sql`update app_user set email = ${email} where identity_id = ${identityId}`),
  hold: (tx, identityId, since) => holdAll(tx, identityId, since, holdHours),
});
