/** What the embedded sign-in service needs of the pool. */
import { and, eq, gte, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Bus } from '../bus';
import type { Db, DbOrTx } from '../db/database';
import { querierOf } from '../db/querier-of';
import { accessToken, appUser, poolHold, subAccount } from '../db/schema';
import type { AccountEvent, PoolAccounts } from '../identity';
import { createUser, nameTaken } from './accounts';
import { writeAudit } from './audit';
import { becomeFirstAdmin } from './first-admin';
import { announceNotes, writeAdminNotes, writeNotes, type WrittenNote } from './notifications';

/**
 * Writes the audit row of what happened to a user's sign-in and tells the user. `operator`: the command line did it, not
 * the user. Returns the notification.
 */
export async function recordEvent(
  tx: DbOrTx,
  identityId: string,
  [group, name]: AccountEvent,
  { ip, operator = false, values = {} }: { ip: string; operator?: boolean; values?: Record<string, string> },
): Promise<WrittenNote[]> {
  const [user] = await tx.select().from(appUser).where(eq(appUser.identityId, identityId));
  if (!user) return [];
  const { id: userId, userName } = user;
  await writeAudit(tx, { actorId: operator ? null : userId, ip }, `${group}.${name}`, userName);
  return writeNotes(querierOf(tx), [{ userId, kind: `${group}_${name}`, values }], Date.now() / 1000);
}

/** As `PoolAccounts.hold`. */
async function holdAll(tx: DbOrTx, identityId: string, since: Date, hours: number): Promise<Date> {
  const {
    rows: [clock],
  } = await tx.execute<{ until: Date }>(sql`select now() + make_interval(secs => ${hours * 3600}) as until`);
  const until = new Date(clock?.until ?? NaN);
  const [user] = await tx
    .update(appUser)
    .set({
      // An earlier change is over: it is not what is held.
      referralAddressBefore: sql`case when ${appUser.referralHoldUntil} > now() then ${appUser.referralAddressBefore} end`,
      referralHoldUntil: sql`case when ${appUser.referralAddress} is not null then greatest(${appUser.referralHoldUntil}, ${until}) end`,
    })
    .where(eq(appUser.identityId, identityId))
    .returning({ id: appUser.id });
  if (!user) return until;
  await tx
    .update(subAccount)
    .set({
      addressBefore: sql`case when ${subAccount.addressHoldUntil} > now() then ${subAccount.addressBefore} end`,
      addressHoldUntil: sql`greatest(${subAccount.addressHoldUntil}, ${until})`,
    })
    .where(and(eq(subAccount.userId, user.id), isNotNull(subAccount.btcAddress), isNull(subAccount.deletedAt)));
  await tx
    .insert(poolHold)
    .values({ userId: user.id })
    .onConflictDoUpdate({
      target: poolHold.userId,
      set: {
        offAt: null,
        until: sql`case when ${poolHold.until} > now() then greatest(${poolHold.until}, ${until}) else ${poolHold.until} end`,
      },
    });
  await tx
    .update(accessToken)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(accessToken.userId, user.id), gte(accessToken.createdAt, since), isNull(accessToken.revokedAt)));
  return until;
}

/** `holdHours`: of a changed payout address. */
export const poolAccounts = (db: Db, bus: Bus, holdHours = 72): PoolAccounts => ({
  nameTaken: (name) => nameTaken(db, name),
  isDisabled: async (identityId) => {
    const [user] = await db.select().from(appUser).where(eq(appUser.identityId, identityId));
    return user?.disabled ?? false;
  },
  isAdmin: async (tx, identityId) => {
    const [user] = await tx.select().from(appUser).where(eq(appUser.identityId, identityId));
    return user?.role === 'admin';
  },
  userCreated: async ({ operatorCode, ...identity }, tx) => {
    const user = await createUser(tx, identity);
    return operatorCode === undefined || becomeFirstAdmin(tx, user, operatorCode);
  },
  twoStepChanged: async (identityId, change, ip, work) => {
    const { done, notes } = await db.transaction(async (tx) => {
      const result = await work(tx);
      return {
        done: result,
        notes: result === null ? [] : await recordEvent(tx, identityId, ['two_step', change], { ip }),
      };
    });
    announceNotes(bus, notes);
    return done;
  },
  told: async (tx, identityId, event, values, ip) => {
    const notes = await recordEvent(tx, identityId, event, { ip, values });
    return () => announceNotes(bus, notes);
  },
  adminsTold: async (tx, identityId, values) => {
    const [user] = await tx.select().from(appUser).where(eq(appUser.identityId, identityId));
    if (user?.role !== 'admin') return () => undefined;
    const note = { kind: 'admins_sign_in', values: { ...values, user: user.userName } };
    const notes = await writeAdminNotes(querierOf(tx), note, Date.now() / 1000, user.id);
    return () => announceNotes(bus, notes);
  },
  emailIs: (tx, identityId, email) => tx.update(appUser).set({ email }).where(eq(appUser.identityId, identityId)),
  hold: (tx, identityId, since) => holdAll(tx, identityId, since, holdHours),
});
