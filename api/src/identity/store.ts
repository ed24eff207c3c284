/** Database rows of the identity tables. A browser is a client; a client has at most one active session. */
import { randomBytes, randomUUID } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { hashOf } from '../accounts/access-tokens';
import {
  firstRow,
  hasRow,
  joinedRows,
  oneRow,
  type Querier,
  raw,
  rowsOf,
  sql,
  type Sql,
  valuesOf,
} from '../platform/db/querier';
import { sharedRead } from '../platform/db/shared-read';
import type { Language } from '@pool/shared/i18n/languages';
import { errors } from './errors';

/** A user, in `identity_user`. */
export type UserRow = {
  /** `user_…` */
  id: string;
  userName: string;
  email: string | null;
  /** When its owner entered a code that was sent there. */
  emailVerifiedAt: Date | null;
  /** Language of the pages in which the address was entered; mails about the account are in it. */
  language: Language | null;
  firstName: string | null;
  lastName: string | null;
  /** Hash of the picture; null: the user has no picture. */
  picture: string | null;
  passwordHash: string;
  /** Encrypted secret of the authenticator app. */
  totpSecret: string | null;
  /** When two-step sign-in was turned on; null: it is off, and a secret is one that no code has confirmed yet. */
  totpSince: Date | null;
  /** The 30 seconds since 1970 of the last accepted code; it and older ones are not accepted again. */
  totpStep: number;
  /** Hashes of the backup codes that are left. */
  backupCodes: string[];
  createdAt: Date;
  updatedAt: Date;
};
/** One browser, in `identity_client`. The secret in its `__client` cookie is stored hashed and rotated on sign-in. */
export type ClientRow = {
  /** `client_…` */
  id: string;
  secretHash: string;
  /** Unfinished sign-in or sign-up. */
  flow: unknown;
  createdAt: Date;
  updatedAt: Date;
};
/** A session of a browser, in `identity_session`. */
export type SessionRow = {
  /** `sess_…` */
  id: string;
  clientId: string;
  userId: string;
  /** `active`, `ended`, `removed`, `revoked` or `expired`. */
  status: string;
  /** When the password was last entered. */
  signedInAt: Date;
  /** When a code of two-step sign-in was last entered, or a passkey used. */
  secondFactorAt: Date | null;
  lastActiveAt: Date;
  expiresAt: Date;
  userAgent: string | null;
  ip: string | null;
  /** The organization that it acts in, if its user is still a member. */
  organizationId: string | null;
};

export type SecondFactor = 'totp' | 'backup_code';

/** A code that was mailed, encrypted. `expiresAt`: Unix milliseconds. `to`: null when it was sent to nobody. */
export type MailedCode = { sealed: string; to: string | null; expiresAt: number };

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
      /** Code that confirms the removal of a lost second factor. */
      recovery?: MailedCode;
    }
  | {
      kind: 'sign_up';
      id: string;
      userName: string | null;
      email: string | null;
      names?: { firstName?: string | undefined; lastName?: string | undefined };
      status: 'missing_requirements' | 'complete';
      sessionId?: string;
      userId?: string;
      /** Fields of a complete sign-up whose address has to be confirmed. */
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
  ip: string;
  known?: string;
  browser: string;
  language: Language;
};

const DAY_MS = 86_400_000;
export const SESSION_DAYS = 30;

export const newId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '')}`;
const newSecret = (): string => randomBytes(32).toString('base64url');

/** SQL condition: the session has not ended. An admin's ends after twelve hours without use. */
const WORKS = `s.status = 'active' and s.expires_at > now()
  and (s.last_active_at > now() - interval '12 hours'
    or not exists (select from app_user where identity_id = s.user_id and role = 'admin'))`;
const VISITOR = `
  select c.*, s.*, u.*
  from identity_client c
  left join identity_session s on s.client_id = c.id and ${WORKS}
  left join identity_user u on u.id = s.user_id
  where c.secret_hash = $1
  order by s.signed_in_at desc limit 1`;

export async function findVisitor(db: Querier, secret: string | undefined): Promise<Visitor | null> {
  if (!secret) return null;
  const hash = hashOf(secret);
  const [row] = await sharedRead(db, `visitor ${hash}`, () =>
    joinedRows<[ClientRow, SessionRow | null, UserRow | null]>(db, VISITOR, [hash], 'visitor'),
  );
  if (!row) return null;
  const [client, session, user] = row;
  return { client, session, user } as Visitor;
}

/** A mail address or a name as it is stored: in small letters, a domain of other letters than Latin ones as `xn--…`. */
export const storedName = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/(?<=@)[^@]*[^\0-\x7f][^@]*$/, (domain) => domainToASCII(domain));

export const findUser = (db: Querier, identifier: string): Promise<UserRow | undefined> => {
  const name = storedName(identifier);
  const column = name.includes('@') ? 'email' : 'user_name';
  return firstRow<UserRow>(db)`select * from identity_user where ${raw(column)} = ${name}`;
};

/** Whether somebody has the address, or can put it back (links.ts); `but`: a user who may have it. */
export async function addressTaken(db: Querier, email: string, but = ''): Promise<boolean> {
  return hasRow(db)`select from identity_user where email = ${email} and id <> ${but}
    union all
    select from identity_link
    where kind = 'restore_email' and email = ${email} and user_id <> ${but} and used_at is null and expires_at > now()
    limit 1`;
}

/** Changes the user if `where` is true of it; null: it is not, or there is no such user. */
export async function updateUser(db: Querier, id: string, set: Sql, where = sql`true`): Promise<UserRow | null> {
  const user = await firstRow<UserRow>(db)`update identity_user set ${set} where id = ${id} and ${where} returning *`;
  return user ?? null;
}

export async function createClient(db: Querier): Promise<{ client: ClientRow; secret: string }> {
  const secret = newSecret();
  const client = await oneRow<ClientRow>(db)`
    insert into identity_client (id, secret_hash) values (${newId('client')}, ${hashOf(secret)}) returning *`;
  return { client, secret };
}

export async function setFlow(db: Querier, clientId: string, flow: Flow | null): Promise<ClientRow> {
  const client = await firstRow<ClientRow>(db)`
    update identity_client set flow = ${flow}, updated_at = ${new Date()} where id = ${clientId} returning *`;
  if (!client) throw errors.signInOver();
  return client;
}

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
  tx: Querier,
  client: ClientRow,
  user: UserRow,
  device: Device,
  flow: (sessionId: string) => Flow,
): Promise<{ visitor: SignedIn; secret: string }> {
  const now = new Date();
  const session = await oneRow<SessionRow>(tx)`
    insert into identity_session
      (id, client_id, user_id, signed_in_at, second_factor_at, last_active_at, expires_at, user_agent, ip,
       organization_id)
    values (${newId('sess')}, ${client.id}, ${user.id}, ${now}, ${user.totpSince && now}, ${now},
      ${new Date(now.getTime() + SESSION_DAYS * DAY_MS)}, ${device.userAgent?.slice(0, 300) ?? null}, ${device.ip}, (
      select organization_id from identity_session where user_id = ${user.id} order by last_active_at desc limit 1
    )) returning *`;
  const secret = newSecret();
  const updated = await oneRow<ClientRow>(tx)`
    update identity_client set secret_hash = ${hashOf(secret)}, flow = ${flow(session.id)}, updated_at = ${now}
    where id = ${client.id} returning *`;
  return { visitor: { client: updated, session, user }, secret };
}

/** Writes when the visitor's password, code or passkey was given again; throws when the session has ended meanwhile. */
export async function proven(
  db: Querier,
  visitor: SignedIn,
  at: Partial<Pick<SessionRow, 'signedInAt' | 'secondFactorAt'>>,
): Promise<SignedIn> {
  const session = await firstRow<SessionRow>(db)`
    update identity_session
    set signed_in_at = coalesce(${at.signedInAt}, signed_in_at),
      second_factor_at = coalesce(${at.secondFactorAt}, second_factor_at)
    where id = ${visitor.session.id} and status = 'active' returning *`;
  if (!session) throw errors.signedOut();
  return { ...visitor, session };
}

/** Marks the session as used, at most once a minute. */
export async function seen(db: Querier, session: SessionRow): Promise<void> {
  if (Date.now() - session.lastActiveAt.getTime() < 60_000) return;
  await db.query(sql`update identity_session set last_active_at = ${new Date()} where id = ${session.id}`);
}

export const activeSessions = (db: Querier, userId: string): Promise<SessionRow[]> =>
  rowsOf<SessionRow>(db)`
    select * from identity_session s where user_id = ${userId} and ${raw(WORKS)} order by last_active_at desc
    limit 100`;

export async function workingSessions(db: Querier, ids: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set(
    await valuesOf<string>(db)`select id from identity_session s where id = any(${ids}) and ${raw(WORKS)}`,
  );
}

/** The part of a session that its tokens are checked against. */
export type WorkingSession = { userId: string; signedInAt: Date };

/** Null: it has ended. */
export async function workingSession(db: Querier, id: string): Promise<WorkingSession | null> {
  const [row] = await joinedRows<[SessionRow, UserRow]>(
    db,
    `select s.*, u.* from identity_session s join identity_user u on u.id = s.user_id where s.id = $1 and ${WORKS}`,
    [id],
  );
  if (!row) return null;
  const [session, user] = row;
  return { userId: user.id, signedInAt: provenAt({ session, user }) };
}

/** Ends sessions of a user and returns their ids; `except` is kept. */
export async function endSessions(
  db: Querier,
  userId: string,
  { only, except }: { only?: string; except?: string },
  status: 'ended' | 'removed' | 'revoked' = 'ended',
): Promise<string[]> {
  return valuesOf<string>(db)`
    update identity_session set status = ${status}
    where user_id = ${userId} and status = 'active' and (${only}::text is null or id = ${only})
      and (${except}::text is null or id <> ${except})
    returning id`;
}

/** Ends the wait for the removal of a lost second factor (recovery.ts); false: there was none. */
export async function cancelRecovery(db: Querier, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`delete from identity_recovery where user_id = ${userId}`);
  return rowCount === 1;
}

const SWEPT_AT_ONCE = 1000;
/** Deletes expired sessions and links, and browsers that never signed in or not for as long as their cookie lives. */
export async function sweep(db: Querier): Promise<void> {
  await db.query('delete from identity_link where expires_at < now()');
  await db.query("delete from identity_device where seen_at < now() - interval '180 days'");
  await db.query("update identity_session set status = 'expired' where status = 'active' and expires_at < now()");
  // One network may make more than a thousand in an hour.
  let deleted: number | null;
  do
    ({ rowCount: deleted } = await db.query(
      `delete from identity_client where id in (
         select c.id
         from identity_client c left join identity_session s on s.client_id = c.id and s.status = 'active'
         where s.id is null and c.updated_at < now() - interval '1 day'
         limit ${SWEPT_AT_ONCE})`,
    ));
  while (deleted === SWEPT_AT_ONCE);
}
