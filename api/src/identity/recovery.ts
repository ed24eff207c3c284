/**
 * A lost second factor: who knows the password and gets a code by mail asks for its removal, which waits for three days
 * by the database's clock, with a notice every day. A right code of the factor in that time ends the wait.
 */
import { and, eq, isNotNull, lte, sql } from 'drizzle-orm';
import type { Db, DbOrTx } from '../db/database';
import { identityRecovery, identityUser } from '../db/schema';
import type { CodeMails } from './code-mails';
import { errors } from './errors';
import { deviceIdOf } from './known-devices';
import { makeLink } from './links';
import type { SignInFlow } from './sign-in';
import { cancelRecovery, findUser, setFlow, type Device, type Flow, type UserRow, type Visitor } from './store';
import { withoutTwoStep } from './two-step';
import type { PoolAccounts } from './users';

const WAIT_H = 72;
const NOTICE_EVERY_H = 24;
/** A server that was down sends those that are missing before it removes anything. */
const NOTICES = WAIT_H / NOTICE_EVERY_H;
const LINK_H = WAIT_H + NOTICE_EVERY_H;
const MAIL_LIFE_S = NOTICE_EVERY_H * 3600;
/** How long after the password the code is asked for and accepted. */
const WITHIN_MS = 600_000;

/** A browser that gave the right password and has no second factor to give. */
export type Locked = { clientId: string; flow: SignInFlow; user: UserRow };

export class Recovery {
  constructor(
    private readonly db: Db,
    private readonly mails: CodeMails,
    private readonly pool: PoolAccounts,
    private readonly publicUrl: string | undefined,
  ) {}

  /** Null: this browser has not just given a password that a second factor has to follow. */
  async lockedOut(visitor: Visitor | null): Promise<Locked | null> {
    const flow = visitor?.client.flow as Flow | null | undefined;
    if (!visitor || visitor.session || flow?.kind !== 'sign_in' || flow.status !== 'needs_second_factor') return null;
    const user = await findUser(this.db, flow.identifier);
    const at = flow.passwordAt ?? 0;
    if (!user?.totpSince || at < user.updatedAt.getTime() || Date.now() - at > WITHIN_MS) return null;
    return { clientId: visitor.client.id, flow, user };
  }

  /** Whether it is possible: not without a confirmed address, and not for admins, whom the operator helps. */
  async isOffered({ user }: Locked): Promise<boolean> {
    return user.emailVerifiedAt !== null && !(await this.pool.isAdmin(this.db, user.id));
  }

  sendCode({ clientId, flow, user }: Locked, device: Device): Promise<SignInFlow> {
    const { id, email, userName: name } = user;
    return this.mails.send(
      clientId,
      { kind: 'recovery', to: email, account: id, name, device },
      (recovery): SignInFlow => ({ ...flow, recovery }),
    );
  }

  /** Begins to wait, or goes on with it. Returns until when. */
  async begin({ clientId, flow, user }: Locked, code: string | undefined, device: Device): Promise<Date> {
    const place = { address: device.ip ?? '', known: deviceIdOf(device.known, user) };
    const mailed = flow.recovery?.to === user.email ? flow.recovery : undefined;
    await this.mails.check(`recovery ${user.id}`, place, mailed, code);
    const { totpSince } = user;
    if (!totpSince) throw errors.signInOver();
    const { row, announce } = await this.db.transaction(async (tx) => {
      const readyAt = sql`now() + make_interval(hours => ${WAIT_H})`;
      await tx.insert(identityRecovery).values({ userId: user.id, totpSince, readyAt }).onConflictDoNothing();
      await setFlow(tx, clientId, null);
      return this.notice(tx, user, device.ip ?? '?');
    });
    announce();
    return row.readyAt;
  }

  /** Tells the user that the removal waits; call `announce` after the transaction. */
  private async notice(tx: DbOrTx, user: UserRow, ip: string) {
    const [row] = await tx
      .update(identityRecovery)
      .set({
        notices: sql`${identityRecovery.notices} + 1`,
        noticeAt: sql`now() + make_interval(hours => ${NOTICE_EVERY_H})`,
      })
      .where(eq(identityRecovery.userId, user.id))
      .returning();
    if (!row) throw errors.signInOver();
    const until = row.readyAt.toISOString();
    const announce = await this.pool.told(tx, user.id, ['recovery', 'begun'], { until }, ip);
    const link = await makeLink(tx, this.publicUrl, { userId: user.id, kind: 'cancel_recovery', hours: LINK_H });
    await this.mail(tx, user, 'recovery_begun', { until: until.slice(0, 16).replace('T', ' ') }, link);
    return { row, announce: this.afterwards(announce) };
  }

  private async mail(
    tx: DbOrTx,
    { id, email, emailVerifiedAt, language, userName: name }: UserRow,
    kind: 'recovery_begun' | 'recovery_done',
    values: Record<string, string>,
    link?: string | null,
  ): Promise<void> {
    if (!email || !emailVerifiedAt) return;
    const letter = { kind, to: email, language: language ?? 'en', values: { ...values, name }, link };
    await this.mails.notice(tx, id, { ...letter, lifeS: MAIL_LIFE_S });
  }

  private afterwards(announce: () => void): () => void {
    return () => {
      announce();
      this.mails.wake();
    };
  }

  /** Sends the notices that are due, and removes second factors whose time is over. Run it every few minutes. */
  async run(): Promise<void> {
    const due = await this.db
      .select({ userId: identityRecovery.userId })
      .from(identityRecovery)
      .where(lte(identityRecovery.noticeAt, sql`now()`));
    for (const { userId } of due) {
      const announce = await this.db.transaction((tx) => this.step(tx, userId));
      announce();
    }
  }

  private async step(tx: DbOrTx, userId: string): Promise<() => void> {
    const [found] = await tx
      .select({
        recovery: identityRecovery,
        user: identityUser,
        isDue: sql<boolean>`${identityRecovery.noticeAt} <= now()`,
        isReady: sql<boolean>`${identityRecovery.readyAt} <= now() and ${identityRecovery.notices} >= ${NOTICES}`,
      })
      .from(identityRecovery)
      .innerJoin(identityUser, eq(identityUser.id, identityRecovery.userId))
      .where(eq(identityRecovery.userId, userId))
      .for('update');
    if (!found?.isDue) return () => undefined;
    const { recovery, user, isReady } = found;
    // Another factor than the one that was lost, an address that takes no mail, or an admin by now.
    const isOther = user.totpSince?.getTime() !== recovery.totpSince.getTime();
    if (isOther || !user.emailVerifiedAt || (await this.pool.isAdmin(tx, userId))) {
      await cancelRecovery(tx, userId);
      return () => undefined;
    }
    if (!isReady) return (await this.notice(tx, user, 'server')).announce;
    await cancelRecovery(tx, userId);
    await tx
      .update(identityUser)
      .set(withoutTwoStep())
      .where(and(eq(identityUser.id, userId), isNotNull(identityUser.totpSince)));
    const announce = await this.pool.told(tx, userId, ['recovery', 'done'], {}, 'server');
    await this.mail(tx, user, 'recovery_done', {});
    return this.afterwards(announce);
  }
}
