/** A user deletes the account: nothing may be owed to it, and none of its workers may have mined in the last 24 h. */
import type { Contract } from '@pool/shared/api/contract';
import type { Pool } from 'pg';
import type { z } from 'zod';
import { lock, transaction } from '../platform/db/transaction';
import { firstRow, type Querier } from '../platform/db/querier';
import { deleteHooks } from '../messages/outbox/events';
import type { AppUser } from './accounts';
import { writeAudit } from '../platform/audit';
import { lockOwned, soleOwned } from './organizations/members';
import { obstaclesOf } from './sub-account-facts';

type ClosingObstacle = z.input<Contract['GET /account/closing']['response']>['obstacles'][number];

const ownAccounts = async (db: Querier, userId: number): Promise<{ id: number; name: string }[]> =>
  (
    await db.query<{ id: number; name: string }>(
      'select id, name from sub_account where user_id = $1 and deleted_at is null order by id',
      [userId],
    )
  ).rows;

/** What keeps the account from being deleted; empty: nothing. `now`: Unix seconds. */
export async function closingObstacles(db: Querier, user: AppUser, now: number): Promise<ClosingObstacle[]> {
  const accounts = await ownAccounts(db, user.id);
  const obstacles = await obstaclesOf(
    db,
    accounts.map(({ id }) => id),
    now,
  );
  const facts = await firstRow<{ referral: boolean; last: boolean }>(
    db,
    `select
       exists (select 1 from balance where party = 'referrer' and owner_id = $1 and owed_sat <> 0) as referral,
       exists (select 1 from app_user where id = $1 and role = 'admin')
         and not exists (select 1 from app_user where id <> $1 and role = 'admin' and not disabled) as last`,
    [user.id],
  );
  return [
    ...accounts.flatMap(({ id, name }): ClosingObstacle[] => {
      const obstacle = obstacles.get(id);
      return obstacle ? [{ account: name, obstacle }] : [];
    }),
    ...(facts?.referral ? [{ account: null, obstacle: 'referral_balance' as const }] : []),
    ...(facts?.last ? [{ account: null, obstacle: 'last_admin' as const }] : []),
    ...((await soleOwned(db, [user.id])).length > 0 ? [{ account: null, obstacle: 'last_owner' as const }] : []),
  ];
}

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
    await client.query('select 1 from app_user where id = $1 for update', [user.id]);
    if ((await closingObstacles(client, user, now)).length > 0) return null;
    const ids = (await ownAccounts(client, user.id)).map(({ id }) => id);
    await client.query('update sub_account set deleted_at = to_timestamp($2::float8) where id = any($1::int[])', [
      ids,
      now,
    ]);
    // What waits for the user's address, chats and browsers, and is kept of what was sent there.
    await client.query(
      `delete from outbox
       where channel = 'mail' and target in (
           select email from app_user where id = $1
           union select email from identity_user where id = $2
           union select email from identity_link where user_id = $2)
         or channel = 'push' and target in (select id::text from push_subscription where user_id = $1)
         or connection_id in (select id from telegram_connection where user_id = $1)`,
      [user.id, user.identityId],
    );
    await client.query('update worker set group_id = null where sub_account_id = any($1::int[])', [ids]);
    await client.query('delete from worker_group where sub_account_id = any($1::int[])', [ids]);
    await client.query('delete from sub_account_pool_config where sub_account_id = any($1::int[])', [ids]);
    await client.query('delete from pool_config where user_id = $1', [user.id]);
    await client.query('delete from pool_hold where user_id = $1', [user.id]);
    await client.query('delete from telegram_connection where user_id = $1', [user.id]);
    await deleteHooks(client, user.id);
    await client.query('delete from push_subscription where user_id = $1', [user.id]);
    await client.query('delete from alert_setting where user_id = $1', [user.id]);
    await client.query('delete from notification where user_id = $1', [user.id]);
    await client.query('delete from access_token where user_id = $1', [user.id]);
    await client.query('delete from organization_member where user_id = $1', [user.id]);
    await client.query('delete from organization_request where user_id = $1', [user.id]);
    await client.query('delete from owner_removal where user_id = $1 or asked_by = $1', [user.id]);
    await client.query('delete from organization where user_id = $1', [user.id]);
    await client.query(
      `delete from organization_invitation
       where email in (select email from app_user where id = $1 union select email from identity_user where id = $2)`,
      [user.id, user.identityId],
    );
    await client.query('update app_user set disabled = true, email = null, referral_address = null where id = $1', [
      user.id,
    ]);
    // The embedded sign-in service's own account, with its sessions; the hosted one has none here.
    await client.query(
      'update identity_client set flow = null where id in (select client_id from identity_session where user_id = $1)',
      [user.identityId],
    );
    await client.query('delete from identity_user where id = $1', [user.identityId]);
    await writeAudit(client, { actorId: user.id, ip }, 'user.close', user.userName);
    return ids;
  });
}
