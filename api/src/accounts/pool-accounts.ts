/** What the embedded sign-in service needs of the pool. */
import { eq } from 'drizzle-orm';
import type { Bus } from '../bus';
import type { Db, DbOrTx } from '../db/database';
import { appUser, notification } from '../db/schema';
import type { PoolAccounts, TwoStepChange } from '../identity';
import { createUser, nameTaken } from './accounts';
import { writeAudit } from './audit';
import { becomeFirstAdmin } from './first-admin';
import { announceNotes, type WrittenNote } from './notifications';

/**
 * Writes the audit row of a change of two-step sign-in and tells the user. `operator`: the command line did it, not the
 * user. Returns the notification.
 */
export async function recordTwoStep(
  tx: DbOrTx,
  identityId: string,
  change: TwoStepChange,
  { ip, operator = false }: { ip: string; operator?: boolean },
): Promise<WrittenNote[]> {
  const [user] = await tx.select().from(appUser).where(eq(appUser.identityId, identityId));
  if (!user) return [];
  const { id: userId, userName } = user;
  await writeAudit(tx, { actorId: operator ? null : userId, ip }, `two_step.${change}`, userName);
  return tx
    .insert(notification)
    .values({ userId, kind: `two_step_${change}`, values: {} })
    .returning({ id: notification.id, userId: notification.userId });
}

export const poolAccounts = (db: Db, bus: Bus): PoolAccounts => ({
  nameTaken: (name) => nameTaken(db, name),
  isDisabled: async (identityId) => {
    const [user] = await db.select().from(appUser).where(eq(appUser.identityId, identityId));
    return user?.disabled ?? false;
  },
  userCreated: async ({ operatorCode, ...identity }, tx) => {
    const user = await createUser(tx, identity);
    return operatorCode === undefined || becomeFirstAdmin(tx, user, operatorCode);
  },
  twoStepChanged: async (identityId, change, ip, work) => {
    const { done, notes } = await db.transaction(async (tx) => {
      const result = await work(tx);
      return { done: result, notes: result === null ? [] : await recordTwoStep(tx, identityId, change, { ip }) };
    });
    announceNotes(bus, notes);
    return done;
  },
});
