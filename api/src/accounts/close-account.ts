/** A user deletes the account: nothing may be owed to it, and none of its workers may have mined in the last 24 h. */
import type { Contract } from '@pool/shared/api/contract';
import type { Pool } from 'pg';
import type { z } from 'zod';
import { lock, transaction } from '../platform/db/transaction';
import { oneRow, type Querier, raw, sql } from '../platform/db/querier';
import { deleteHooks } from '../messages/outbox/events';
import { subAccountsOf, type AppUser } from './accounts';
import { writeAudit } from '../platform/audit';
import { lockOwned, soleOwned } from './organizations/members';
import { obstaclesOf } from './obstacles';

type ClosingObstacle = z.input<Contract['GET /account/closing']['response']>['obstacles'][number];

/** What keeps the account from being deleted; empty: nothing. `now`: Unix seconds. */
export async function closingObstacles(db: Querier, user: AppUser, now: number): Promise<ClosingObstacle[]> {
  const accounts = await subAccountsOf(db, user.id);
  const ids = accounts.map(({ id }) => id);
  const obstacles = await obstaclesOf(db, ids, now);
  const facts = await oneRow<{ referral: boolean; last: boolean }>(db)`
    select
    exists (select 1 from balance where party = 'referrer' and owner_id = ${user.id} and owed_sat <> 0) as referral,
    exists (select 1 from app_user where id = ${user.id} and role = 'admin')
      and not exists (select 1 from app_user where id <> ${user.id} and role = 'admin' and not disabled) as last`;
  return [
    ...accounts.flatMap(({ id, name }): ClosingObstacle[] => {
      const obstacle = obstacles.get(id);
      return obstacle ? [{ account: name, obstacle }] : [];
    }),
    ...(facts.referral ? [{ account: null, obstacle: 'referral_balance' as const }] : []),
    ...(facts.last ? [{ account: null, obstacle: 'last_admin' as const }] : []),
    ...((await soleOwned(db, [user.id])).length > 0 ? [{ account: null, obstacle: 'last_owner' as const }] : []),
  ];
}

/** Tables whose rows of the user go, in this order. */
const OWN = [
  ...['pool_config', 'pool_hold', 'telegram_connection', 'push_subscription', 'alert_setting', 'notification'],
  ...['access_token', 'organization_member', 'waiting_change', 'organization'],
];

/**
 * Deletes what is personal and ends every access: e-mail, sign-in, tokens, chats, upstream pools. Earnings, payments
 * and the audit log stay, and so do the names, so that nobody else gets this account's miners. Returns the ids of its
 * sub-accounts; null when something keeps the account.
 */
export function closeAccount(pool: Pool, user: AppUser, ip: string, now: number): Promise<number[] | null> {
  return transaction(pool, async (client) => {
    // No day is closed and no payment opened in the meantime.
    await lock(client, 'closing');
    await lockOwned(client, [user.id]);
    await client.query(sql`select 1 from app_user where id = ${user.id} for update`);
    if ((await closingObstacles(client, user, now)).length > 0) return null;
    const ids = (await subAccountsOf(client, user.id)).map(({ id }) => id);
    await client.query(sql`
      update sub_account set deleted_at = to_timestamp(${now}::float8) where id = any(${ids}::int[])`);
    // What waits for the user's address, chats and browsers, and is kept of what was sent there.
    await client.query(sql`delete from outbox
      where channel = 'mail' and target in (
          select email from app_user where id = ${user.id}
          union select email from identity_user where id = ${user.identityId}
          union select email from identity_link where user_id = ${user.identityId})
        or channel = 'push' and target in (select id::text from push_subscription where user_id = ${user.id})
        or connection_id in (select id from telegram_connection where user_id = ${user.id})`);
    await client.query(sql`update worker set group_id = null where sub_account_id = any(${ids}::int[])`);
    await client.query(sql`delete from worker_group where sub_account_id = any(${ids}::int[])`);
    await client.query(sql`delete from sub_account_pool_config where sub_account_id = any(${ids}::int[])`);
    await deleteHooks(client, user.id);
    await client.query(sql`delete from notification where owner_id = ${user.id}`);
    await client.query(sql`delete from waiting_change where ${user.id} in (asked_by, against)`);
    for (const table of OWN) await client.query(sql`delete from ${raw(table)} where user_id = ${user.id}`);
    await client.query(sql`delete from organization_invitation
      where email in (select email from app_user where id = ${user.id} union select email from identity_user
        where id = ${user.identityId})`);
    await client.query(sql`
      update app_user set disabled = true, email = null, referral_address = null where id = ${user.id}`);
    // The embedded sign-in service's own account, with its sessions; the hosted one has none here.
    await client.query(sql`
      update identity_client set flow = null
      where id in (select client_id from identity_session where user_id = ${user.identityId})`);
    await client.query(sql`delete from identity_user where id = ${user.identityId}`);
    await writeAudit(client, { actorId: user.id, ip }, 'user.close', user.userName);
    return ids;
  });
}
