/** Accounts of the embedded sign-in service, for the demo seed, the admin command line and the sign-up. */
import { LINE } from '@pool/shared/api/contract';
import { ACCOUNT_NAME } from '@pool/shared/domain';
import type { Language } from '@pool/shared/i18n/languages';
import type { Pool } from 'pg';
import { brokenUnique, type Querier, sql, oneRow } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import { errors, fieldError, together } from '../errors';
import { checkPassword, hashPassword } from '../factors/passwords';
import { addressTaken, endSessions, findUser, newId, storedName, type UserRow } from '../store';

/** Characters of a name as it is typed. */
export const NAME_MAX = 256;
const EMAIL_MAX = 254;
const EMAIL = /^[^\s@"(),:;<>[\\\]]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/** What happens to a user's sign-in: `sign_in.new` in the audit log, `sign_in_new` as a notification. */
export const ACCOUNT_EVENTS = {
  two_step: ['on', 'off', 'codes', 'code_used'],
  sign_in: ['new', 'not_me'],
  email: ['changed', 'restored'],
  passkey: ['added', 'removed'],
  recovery: ['begun', 'cancelled', 'done'],
} as const;
type AccountEvents = typeof ACCOUNT_EVENTS;
export type AccountEvent = {
  [Group in keyof AccountEvents]: [Group, AccountEvents[Group][number]];
}[keyof AccountEvents];
/** What the rest of the pool does for accounts. */
export type PoolAccounts = {
  /** Whether the name already belongs to an account or sub-account. */
  nameTaken(name: string): Promise<boolean>;
  /** Whether an admin has disabled the user. */
  isDisabled(identityId: string): Promise<boolean>;
  isAdmin(db: Querier, identityId: string): Promise<boolean>;
  /** Makes the pool's own rows of a new user, in its transaction. False: the code of the first admin is not valid. */
  userCreated(
    user: { identityId: string; userName: string; email: string | null; operatorCode?: string },
    tx: Querier,
  ): Promise<boolean>;
  /** Runs `work` on two-step sign-in (null: no change), records it and tells the user, in one transaction. */
  twoStepChanged<T>(
    identityId: string,
    change: AccountEvents['two_step'][number],
    ip: string,
    work: (tx: Querier) => Promise<T | null>,
  ): Promise<T | null>;
  /** Records what happened, and tells the user in the bell, in `tx`. */
  told(tx: Querier, identityId: string, event: AccountEvent, values: Record<string, string>, ip: string): Promise<void>;
  /** The same of a sign-in from a new browser to the other admins, if the user is one. */
  adminsTold(tx: Querier, identityId: string, values: Record<string, string>): Promise<void>;
  /** Writes the user's address where the pool has it too. */
  emailIs(tx: Querier, identityId: string, email: string): Promise<unknown>;
  /**
   * Holds payouts and changes of upstream pools of a user whose account somebody else has been in since `since`, and
   * revokes API keys and watcher links from that time. Returns until when payouts are held.
   */
  hold(tx: Querier, identityId: string, since: Date): Promise<Date>;
};

/** First and last name as they are typed. */
export type Names = { firstName?: string | undefined; lastName?: string | undefined };
/** `operatorCode`: makes the first admin of a pool. */
export type NewUser = { userName: string; email: string | null; names?: Names; operatorCode?: string } & (
  | { password: string }
  | { passwordHash: string; emailVerifiedAt?: Date; language?: Language }
);

/** Returns the name in lower case, or throws the rule it breaks. */
function checkUserName(text: string | undefined): string {
  const name = text?.trim().toLowerCase() ?? '';
  if (!name) throw errors.missing('username');
  if (!ACCOUNT_NAME.test(name))
    throw fieldError(
      'form_param_format_invalid',
      'username',
      'A username has 3 to 32 characters: a-z, 0-9, - and _, and starts with a letter.',
    );
  return name;
}

/** Returns a text that may stand in a mail; throws where it has line breaks, or marks that nobody sees. */
export function checkLine(param: string, text: string): string {
  if (text && !LINE.test(text))
    throw fieldError('form_param_format_invalid', param, 'A name has no line breaks and no invisible characters.');
  return text;
}

/** Returns first and last name as they are stored, undefined where none was sent, or throws which is too long. */
export function checkNames({ firstName, lastName }: Names) {
  const check = (param: string, name: string | undefined) => {
    if (name && name.length > NAME_MAX)
      throw fieldError('form_param_max_length_exceeded', param, `At most ${NAME_MAX} characters.`);
    return name === undefined ? undefined : checkLine(param, name.trim()) || null;
  };
  return { firstName: check('first_name', firstName), lastName: check('last_name', lastName) };
}

export function checkEmail(text: string | undefined): string {
  const email = storedName(text ?? '');
  if (!email) throw errors.missing('email_address');
  if (email.length > EMAIL_MAX || !EMAIL.test(email))
    throw fieldError('form_param_format_invalid', 'email_address', 'Email address must be a valid email address.');
  return email;
}

/** The names of a new account as they are stored; throws an `IdentityError` about an invalid or taken one. */
export async function checkNewUser(
  db: Querier,
  pool: PoolAccounts,
  input: { userName: string; email: string | null; password?: string },
): Promise<{ userName: string; email: string | null }> {
  const { password } = input;
  const [userName, email] = together(
    () => checkUserName(input.userName),
    () => (input.email === null ? null : checkEmail(input.email)),
    () => (password === undefined ? undefined : checkPassword(password, [input.userName, input.email])),
  );
  if ((await findUser(db, userName)) || (await pool.nameTaken(userName))) throw errors.taken('username', 'username');
  return { userName, email };
}

/** Creates an account with the pool's own rows of it, and runs `also`, in one transaction. */
export async function createIdentityUser<T = undefined>(
  db: Pool,
  pool: PoolAccounts,
  input: NewUser,
  also?: (tx: Querier, user: UserRow) => Promise<T>,
): Promise<{ user: UserRow; also: T }> {
  const { userName, email } = await checkNewUser(db, pool, input);
  if (email && (await addressTaken(db, email))) throw errors.taken('email_address', 'email address');
  const names = checkNames(input.names ?? {});
  const { passwordHash, emailVerifiedAt, language } =
    'password' in input ? { ...input, passwordHash: await hashPassword(input.password) } : input;
  try {
    return await transaction(db, async (tx) => {
      const user = await oneRow<UserRow>(tx)`
        insert into identity_user
          (id, user_name, email, first_name, last_name, password_hash, email_verified_at, language)
        values (${newId('user')}, ${userName}, ${email}, ${names.firstName}, ${names.lastName}, ${passwordHash},
          ${emailVerifiedAt}, ${language}) returning *`;
      const { operatorCode } = input;
      if (!(await pool.userCreated({ identityId: user.id, userName, email, operatorCode }, tx)))
        throw errors.operatorCodeUsed();
      return { user, also: (await also?.(tx, user)) as T };
    });
  } catch (error) {
    // Another request took the name in the meantime.
    const constraint = brokenUnique(error);
    if (constraint === null) throw error;
    throw constraint.includes('email')
      ? errors.taken('email_address', 'email address')
      : errors.taken('username', 'username');
  }
}

/** Sets a new password and ends all sessions; returns their ids, or null when there is no such account. */
export async function resetPassword(
  db: Querier,
  identifier: string,
  password: string,
): Promise<{ user: UserRow; ended: string[] } | null> {
  const user = await findUser(db, identifier);
  if (!user) return null;
  checkPassword(password, [user.userName, user.email]);
  await db.query(sql`
    update identity_user set password_hash = ${await hashPassword(password)}, updated_at = ${new Date()}
    where id = ${user.id}`);
  return { user, ended: await endSessions(db, user.id, {}) };
}
