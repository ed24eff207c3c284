/** Database rows of the identity tables. A browser is a client; a client has at most one active session. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { and, desc, eq, gt, inArray, isNull, lt, ne, sql } from 'drizzle-orm';
import type { Db, DbOrTx } from '../db/database';
import { builtOnce } from '../db/prepared';
import {
  appUser,
  identityClient,
  identityDevice,
  identityLink,
  identityRecovery,
  identitySession,
  identityUser,
} from '../db/schema';
import { sharedRead } from '../db/shared-read';
import type { Language } from '@pool/shared/i18n/languages';
import { errors } from './errors';

export type UserRow = typeof identityUser.$inferSelect;
export type ClientRow = typeof identityClient.$inferSelect;
export type SessionRow = typeof identitySession.$inferSelect;

export type SecondFactor = 'totp' | 'backup_code';

/** A code that was mailed, hashed. `expiresAt`: Unix milliseconds. `to`: null when it was sent to nobody. */
export type MailedCode = { hash: string; to: string | null; expiresAt: number };

/** What a passkey is asked to sign, and the whole question as clerk-js gets it. `expiresAt`: Unix milliseconds. */
export type Challenge = { challenge: string; nonce: string; expiresAt: number };

/** An unfinished sign-in, sign-up or confirmation of an address in a browser. Never contains a password. */
export type Flow =
  | {
      kind: 'sign_in';
      id: string;
      /** Empty until a passkey says who it is. */
      identifier: string;
      /** It was begun for a passkey: there is no other way to end it. */
      strategy?: 'passkey';
      passkey?: Challenge;
      status: 'needs_first_factor' | 'needs_second_factor' | 'needs_new_password' | 'complete';
      sessionId?: string;
      /** When the password, or the code for a new one, was right, Unix milliseconds: the next step has to follow. */
      passwordAt?: number;
      /** What the code may be; empty without two-step sign-in. */
      secondFactors?: SecondFactor[];
      /** A new password may be set by mail. */
      canReset: boolean;
      mailed?: MailedCode;
      /** Of the removal of a lost second factor. */
      recovery?: MailedCode;
    }
  | {
      kind: 'sign_up';
      id: string;
      userName: string | null;
      email: string | null;
      status: 'missing_requirements' | 'complete';
      sessionId?: string;
      userId?: string;
      /** Of a sign-up whose address has to be confirmed: all its fields are there. */
      toConfirm?: { passwordHash: string; operatorCode?: string; mailed?: MailedCode };
    }
  /** `email`: the address that takes the place of the account's. */
  | { kind: 'verify_email'; id: string; email?: string; mailed?: MailedCode }
  /** A signed-in user adds a passkey, which gets this id, or confirms something with one. */
  | { kind: 'passkey'; id: string; passkey?: Challenge };

/** A browser, found by its cookie. */
export type Visitor =
  | { client: ClientRow; session: SessionRow; user: UserRow }
  | { client: ClientRow; session: null; user: null };
export type SignedIn = Extract<Visitor, { session: SessionRow }>;
/** `known`: cookie of a device somebody has signed in from. `browser`: the id in it, or one that it will get. */
export type Device = {
  userAgent: string | null;
  ip: string | null;
  known?: string;
  browser: string;
  language: Language;
};

const DAY_MS = 86_400_000;
export const SESSION_DAYS = 30;

export const newId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '')}`;
const newSecret = (): string => randomBytes(32).toString('base64url');
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Of a session that has not ended. An admin's ends after twelve hours without use. */
const works = and(
  eq(identitySession.status, 'active'),
  gt(identitySession.expiresAt, sql`now()`),
  sql`(${identitySession.lastActiveAt} > now() - interval '12 hours' or not exists (
    select 1 from ${appUser} where ${appUser.identityId} = ${identitySession.userId} and ${appUser.role} = 'admin'
  ))`,
);

const visitors = builtOnce((db) =>
  db
    .select({ client: identityClient, session: identitySession, user: identityUser })
    .from(identityClient)
    .leftJoin(identitySession, and(eq(identitySession.clientId, identityClient.id), works))
    .leftJoin(identityUser, eq(identityUser.id, identitySession.userId))
    .where(eq(identityClient.secretHash, sql.placeholder('hash')))
    .orderBy(desc(identitySession.signedInAt))
    .limit(1)
    .prepare('visitor'),
);

export async function findVisitor(db: DbOrTx, secret: string | undefined): Promise<Visitor | null> {
  if (!secret || secret.length > 64) return null;
  const hash = hashOf(secret);
  const [row] = await sharedRead(db, `visitor ${hash}`, () => visitors(db).execute({ hash }));
  if (!row) return null;
  return row.session && row.user
    ? { client: row.client, session: row.session, user: row.user }
    : { client: row.client, session: null, user: null };
}

export const findUser = async (db: DbOrTx, identifier: string): Promise<UserRow | undefined> => {
  const name = identifier.trim().toLowerCase();
  return (
    await db
      .select()
      .from(identityUser)
      .where(name.includes('@') ? eq(identityUser.email, name) : eq(identityUser.userName, name))
  )[0];
};

/** Whether somebody has the address, or can put it back (links.ts); `but`: a user who may have it. */
export async function addressTaken(db: DbOrTx, email: string, but = ''): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select 1 from identity_user where email = ${email} and id <> ${but}
    union all
    select 1 from identity_link
    where kind = 'restore_email' and email = ${email} and user_id <> ${but} and used_at is null and expires_at > now()
    limit 1`);
  return rows.length > 0;
}

export async function createClient(db: DbOrTx): Promise<{ client: ClientRow; secret: string }> {
  const secret = newSecret();
  const [client] = await db
    .insert(identityClient)
    .values({ id: newId('client'), secretHash: hashOf(secret) })
    .returning();
  if (!client) throw new Error('no row');
  return { client, secret };
}

export const setFlow = async (db: DbOrTx, clientId: string, flow: Flow | null): Promise<void> => {
  await db.update(identityClient).set({ flow, updatedAt: new Date() }).where(eq(identityClient.id, clientId));
};

/** What a user may give as a second factor; empty: two-step sign-in is off. */
export const secondFactorsOf = ({ totpSince, backupCodes }: UserRow): SecondFactor[] =>
  totpSince ? ['totp', ...(backupCodes.length ? (['backup_code'] as const) : [])] : [];

type Proof = Pick<SignedIn, 'session' | 'user'>;
/** When a code or a passkey was last given in this session, 1970 for never; null: the user's sign-in takes no code. */
export const secondFactorAt = ({ session, user }: Proof): Date | null =>
  user.totpSince && (session.secondFactorAt ?? new Date(0));

/** Time of the last complete sign-in: password, and the code when two-step sign-in is on. */
export const provenAt = (visitor: Proof): Date => {
  const second = secondFactorAt(visitor);
  return second && second < visitor.session.signedInAt ? second : visitor.session.signedInAt;
};

/** Starts a session and gives the browser a new secret: one stolen before the sign-in becomes invalid. */
export async function startSession(
  tx: DbOrTx,
  client: ClientRow,
  user: UserRow,
  device: Device,
  flow: (sessionId: string) => Flow,
): Promise<{ visitor: SignedIn; secret: string }> {
  const now = new Date();
  const [session] = await tx
    .insert(identitySession)
    .values({
      id: newId('sess'),
      clientId: client.id,
      userId: user.id,
      signedInAt: now,
      // Callers have asked for the code, or for a passkey, by now.
      secondFactorAt: user.totpSince && now,
      lastActiveAt: now,
      expiresAt: new Date(now.getTime() + SESSION_DAYS * DAY_MS),
      userAgent: device.userAgent?.slice(0, 300) ?? null,
      ip: device.ip,
    })
    .returning();
  if (!session) throw new Error('no row');
  const secret = newSecret();
  const [updated] = await tx
    .update(identityClient)
    .set({ secretHash: hashOf(secret), flow: flow(session.id), updatedAt: now })
    .where(eq(identityClient.id, client.id))
    .returning();
  if (!updated) throw new Error('no row');
  return { visitor: { client: updated, session, user }, secret };
}

/** Writes when the visitor's password, code or passkey was given again; throws when the session has ended meanwhile. */
export async function proven(
  db: DbOrTx,
  visitor: SignedIn,
  at: Partial<Pick<SessionRow, 'signedInAt' | 'secondFactorAt'>>,
): Promise<SignedIn> {
  const [session] = await db
    .update(identitySession)
    .set(at)
    .where(eq(identitySession.id, visitor.session.id))
    .returning();
  if (!session) throw errors.signedOut();
  return { ...visitor, session };
}

/** Marks the session as used, at most once a minute. */
export async function seen(db: DbOrTx, session: SessionRow): Promise<void> {
  if (Date.now() - session.lastActiveAt.getTime() < 60_000) return;
  await db.update(identitySession).set({ lastActiveAt: new Date() }).where(eq(identitySession.id, session.id));
}

export const activeSessions = (db: DbOrTx, userId: string): Promise<SessionRow[]> =>
  db
    .select()
    .from(identitySession)
    .where(and(eq(identitySession.userId, userId), works))
    .orderBy(desc(identitySession.lastActiveAt))
    .limit(100);

/** Returns the sessions that have not ended. */
export async function workingSessions(db: DbOrTx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ id: identitySession.id })
    .from(identitySession)
    .where(and(inArray(identitySession.id, [...ids]), works));
  return new Set(rows.map(({ id }) => id));
}

/** The part of a session that its tokens are checked against. */
export type WorkingSession = { userId: string; signedInAt: Date };

/** Null: it has ended. */
export async function workingSession(db: DbOrTx, id: string): Promise<WorkingSession | null> {
  const [row] = await db
    .select({ session: identitySession, user: identityUser })
    .from(identitySession)
    .innerJoin(identityUser, eq(identityUser.id, identitySession.userId))
    .where(and(eq(identitySession.id, id), works));
  return row ? { userId: row.user.id, signedInAt: provenAt(row) } : null;
}

/** Ends sessions of a user and returns their ids; `except` is kept. */
export async function endSessions(
  db: DbOrTx,
  userId: string,
  which: { only?: string; except?: string },
  status: 'ended' | 'removed' | 'revoked' = 'ended',
): Promise<string[]> {
  const rows = await db
    .update(identitySession)
    .set({ status })
    .where(
      and(
        eq(identitySession.userId, userId),
        eq(identitySession.status, 'active'),
        which.only ? eq(identitySession.id, which.only) : undefined,
        which.except ? ne(identitySession.id, which.except) : undefined,
      ),
    )
    .returning({ id: identitySession.id });
  return rows.map((r) => r.id);
}

/** Ends the wait for the removal of a lost second factor (recovery.ts); false: there was none. */
export async function cancelRecovery(db: DbOrTx, userId: string): Promise<boolean> {
  const rows = await db.delete(identityRecovery).where(eq(identityRecovery.userId, userId)).returning();
  return rows.length > 0;
}

/** Deletes expired sessions and links, and browsers that never signed in or not for as long as their cookie lives. */
export async function sweep(db: Db): Promise<void> {
  await db.delete(identityLink).where(lt(identityLink.expiresAt, sql`now()`));
  await db.delete(identityDevice).where(lt(identityDevice.seenAt, sql`now() - interval '180 days'`));
  await db
    .update(identitySession)
    .set({ status: 'expired' })
    .where(and(eq(identitySession.status, 'active'), lt(identitySession.expiresAt, sql`now()`)));
  const idle = await db
    .select({ id: identityClient.id })
    .from(identityClient)
    .leftJoin(
      identitySession,
      and(eq(identitySession.clientId, identityClient.id), eq(identitySession.status, 'active')),
    )
    .where(and(isNull(identitySession.id), lt(identityClient.updatedAt, sql`now() - interval '1 day'`)))
    .limit(1000);
  if (idle.length)
    await db.delete(identityClient).where(
      inArray(
        identityClient.id,
        idle.map((r) => r.id),
      ),
    );
}
