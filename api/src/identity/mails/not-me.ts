/** "It wasn't me": the owner of an account shuts out whoever is in it, by a link in a mail; an address is put back. */
import { randomBytes } from 'node:crypto';
import { type Querier, sql } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import { findLink, takeLink, type LinkRow } from './links';
import { removeAll } from '../factors/passkeys';
import type { IdentityService } from '../service';
import { cancelRecovery, endSessions } from '../store';
import { turnOff } from '../factors/two-step';
import type { PoolAccounts } from '../people/users';

/** A thief may have signed in so long before the address was changed. */
const BEFORE_CHANGE_MS = 86_400_000;

/**
 * Ends all sessions and takes password and passkeys away, so that only a code to the address opens the account.
 * Browsers and two-step sign-in since `since` may be the thief's: they go. Returns the sessions.
 */
async function shutOut(tx: Querier, userId: string, since: Date, passwordHash: string): Promise<string[]> {
  await tx.query(sql`
    update identity_user set password_hash = ${passwordHash}, updated_at = ${new Date()} where id = ${userId}`);
  await turnOff(tx, userId, since);
  await removeAll(tx, userId);
  // The transaction of the sign-in wrote both the link and its browser.
  await tx.query(sql`delete from identity_device where user_id = ${userId} and created_at >= ${since}`);
  await cancelRecovery(tx, userId);
  return endSessions(tx, userId, {}, 'revoked');
}

/** Does what a link says; null: it is not valid any more. */
export async function followLink(
  service: Pick<IdentityService, 'db' | 'hash' | 'markEnded'>,
  pool: PoolAccounts,
  token: string,
  ip: string,
): Promise<LinkRow['kind'] | null> {
  if (!(await findLink(service.db, token))) return null;
  const passwordHash = await service.hash(randomBytes(32).toString('base64url'), ip);
  const done = await transaction(service.db, async (tx) => {
    const taken = await takeLink(tx, token);
    const [link] = taken;
    if (!link) return null;
    const { kind, userId, createdAt } = link;
    const since = new Date(createdAt.getTime() - (kind === 'restore_email' ? BEFORE_CHANGE_MS : 0));
    const ended = await shutOut(tx, userId, since, passwordHash);
    const values = { until: (await pool.hold(tx, userId, since)).toISOString() };
    await pool.told(tx, userId, ['sign_in', 'not_me'], values, ip);
    // The first change since: what was before it is the owner's.
    const email = taken.find((each) => each.email !== null)?.email;
    if (email) {
      await tx.query(sql`
        update identity_user set email = ${email}, email_verified_at = ${new Date()} where id = ${userId}`);
      await pool.emailIs(tx, userId, email);
      await pool.told(tx, userId, ['email', 'restored'], { email }, ip);
    }
    return { ended, kind };
  });
  if (!done) return null;
  service.markEnded(done.ended);
  return done.kind;
}
