/** The embedded sign-in service, apart from HTTP. */
import type { Pool } from 'pg';
import { sql } from '../platform/db/querier';
import { transaction } from '../platform/db/transaction';
import { organizationsOf, type Membership } from '../accounts/organizations/organizations';
import { errors, fieldError } from './errors';
import { TOKEN_SECONDS, type SigningKeys } from './tokens/keys';
import { TtlCache } from '../platform/ttl-cache';
import { Attempts, PASSWORD_LIMITS, type Place } from './limits/attempts';
import { checkPassword, hashPassword, verifyPassword } from './factors/passwords';
import {
  endSessions,
  proven,
  secondFactorAt,
  updateUser,
  workingSession,
  type Device,
  type SignedIn,
  type UserRow,
  type WorkingSession,
} from './store';
import type { Secrets } from '../platform/secrets';
import type { Mailer } from '../messages/mail';
import { CodeMails } from './mails/code-mails';
import { organizationClaims } from './people/organizations';
import { OwnEmail } from './mails/own-email';
import { Passkeys } from './factors/passkeys';
import { PasswordReset } from './sign-in/password-reset';
import { pictureUrl } from './resources';
import { Recovery } from './factors/recovery';
import { SignIn } from './sign-in/sign-in';
import { SignUp } from './sign-in/sign-up';
import { TwoStep } from './factors/two-step';
import { checkNames, type Names, type PoolAccounts } from './people/users';

/** A token says whole minutes since the sign-in. */
const MINUTE_MS = 60_000;
/** How long a session is assumed to work after it was checked. */
const WORKING_CACHE_MS = 3000;
/** Milliseconds for which a page's token is given again, of the minute that it is valid. */
const PAGE_TOKEN_CACHE_MS = 5000;

const tokenFacts = (
  visitor: SignedIn,
  origin: string,
  active: Membership | null,
): Parameters<SigningKeys['sign']>[0] => ({
  sessionId: visitor.session.id,
  userId: visitor.user.id,
  picture: pictureUrl(visitor.user),
  signedInAt: visitor.session.signedInAt,
  secondFactorAt: secondFactorAt(visitor),
  organization: active && organizationClaims(active),
  origin,
});

export class IdentityService {
  readonly twoStep: TwoStep;
  readonly signIn: SignIn;
  readonly signUp: SignUp;
  /** Null: the pool sends no mail. */
  readonly mails: CodeMails | null;
  readonly reset: PasswordReset | null;
  readonly ownEmail: OwnEmail | null;
  readonly passkeys: Passkeys;
  /** Null: the pool sends no mail. */
  readonly recovery: Recovery | null;
  readonly attempts: Attempts;
  private readonly endedAt = new Map<string, number>();
  private readonly working = new TtlCache<WorkingSession | null>(WORKING_CACHE_MS, 10_000);
  private readonly signed = new TtlCache<string>(PAGE_TOKEN_CACHE_MS, 10_000);

  constructor(
    readonly db: Pool,
    readonly keys: SigningKeys,
    readonly pool: PoolAccounts,
    readonly secrets: Secrets,
    mailer: Mailer | null,
    readonly publicUrl?: string,
  ) {
    this.attempts = new Attempts(db, PASSWORD_LIMITS);
    this.twoStep = new TwoStep(this);
    this.mails = mailer && new CodeMails(db, mailer, secrets, publicUrl);
    this.recovery = this.mails && new Recovery(db, this.mails, pool);
    this.signUp = new SignUp(this);
    this.passkeys = new Passkeys(this);
    this.signIn = new SignIn(this);
    this.reset = this.mails && new PasswordReset(this, this.mails);
    this.ownEmail = this.mails && new OwnEmail(db, this.mails, pool);
  }

  /** `active`: the organization that the token is of. */
  token = (visitor: SignedIn, origin: string, active: Membership | null): Promise<string> =>
    this.keys.sign(tokenFacts(visitor, origin, active));

  /** The same for a page, at most a few seconds old. `visitor`: as just read. */
  pageToken = (visitor: SignedIn, origin: string, active: Membership | null): Promise<string> => {
    const facts = tokenFacts(visitor, origin, active);
    return this.signed.get(JSON.stringify(facts), () => this.keys.sign(facts));
  };

  /** The organization that the session acts in, or another one of the user's; null: none, or no membership any more. */
  async activeOf({ user, session }: SignedIn, id: string | null = session.organizationId): Promise<Membership | null> {
    if (!id) return null;
    return (await organizationsOf(this.db, user.id)).find(({ organization }) => organization.id === id) ?? null;
  }

  /** Makes the session act in an organization, or, empty, in none; undefined: in the same as before. */
  async actIn(visitor: SignedIn, id: string | undefined): Promise<SignedIn> {
    const organizationId = id || null;
    if (id === undefined || organizationId === visitor.session.organizationId) return visitor;
    if (id && !(await this.activeOf(visitor, id))) throw errors.notMember();
    const { id: sessionId } = visitor.session;
    await this.db.query(sql`update identity_session set organization_id = ${organizationId} where id = ${sessionId}`);
    return { ...visitor, session: { ...visitor.session, organizationId } };
  }

  /**
   * The session of a token; null: it has ended, so that its tokens are refused, which is known at once when this
   * process ended it, within seconds when another did, and after a restart too. `claimed`: the token's time of the
   * sign-in; a session that was proven again meanwhile is read again.
   */
  session = async (id: string, claimed: Date): Promise<WorkingSession | null> => {
    if (this.endedAt.has(id)) return null;
    const read = () => this.working.get(id, () => workingSession(this.db, id));
    const known = await read();
    if (!known || claimed.getTime() - known.signedInAt.getTime() < MINUTE_MS) return known;
    this.working.forget(id);
    return read();
  };

  /** Tells of ended sessions; by default nobody. */
  tellEnded: (ids: readonly string[]) => void = () => undefined;

  /** Records sessions that were ended in the database. */
  markEnded(ids: readonly string[]): void {
    this.noteEnded(ids);
    if (ids.length) this.tellEnded(ids);
  }

  /** The same of sessions that another process has ended. */
  noteEnded(ids: readonly string[]): void {
    const now = Date.now();
    for (const [id, at] of this.endedAt) if (now - at > 2 * TOKEN_SECONDS * 1000) this.endedAt.delete(id);
    for (const id of ids) this.endedAt.set(id, now);
  }

  /** Checks the password of a signed-in user; the session is the known place. */
  private checkOwn({ user, session }: SignedIn, password: string, address: string): Promise<boolean> {
    const place: Place = { address, known: session.id };
    return this.attempts.check(user.id, place, () => verifyPassword(password, user.passwordHash));
  }

  /** Queues work that hashes a password. */
  queued = <T>(address: string, work: () => Promise<T>): Promise<T> => this.attempts.queued(address, work);

  hash = (password: string, address: string): Promise<string> => this.queued(address, () => hashPassword(password));

  /** Checks the password again, which counts as a recent sign-in. */
  async verifyAgain(visitor: SignedIn, password: string | undefined, address: string): Promise<SignedIn> {
    if (!password) throw errors.missing('password');
    if (!(await this.checkOwn(visitor, password, address))) throw errors.wrongPassword();
    return proven(this.db, visitor, { signedInAt: new Date() });
  }

  async updateNames(user: UserRow, names: Names): Promise<UserRow> {
    const { firstName, lastName } = checkNames(names);
    const set = sql`first_name = case when ${firstName !== undefined} then ${firstName} else first_name end,
      last_name = case when ${lastName !== undefined} then ${lastName} else last_name end, updated_at = ${new Date()}`;
    return (await updateUser(this.db, user.id, set)) ?? user;
  }

  async changePassword(
    visitor: SignedIn,
    input: { current?: string; next?: string; signOutOthers: boolean },
    device: Device,
  ): Promise<UserRow> {
    const { user, session } = visitor;
    const address = device.ip;
    if (!input.current) throw errors.missing('current_password');
    checkPassword(input.next ?? '', [user.userName, user.email], 'new_password');
    if (!(await this.checkOwn(visitor, input.current, address))) throw errors.wrongPassword('current_password');
    if (input.current === input.next)
      throw fieldError(
        'form_new_password_matches_current',
        'new_password',
        'New password cannot be the same as the current password.',
      );
    const passwordHash = await this.hash(input.next ?? '', address);
    const updated = await transaction(this.db, async (tx) => {
      const set = sql`password_hash = ${passwordHash}, updated_at = ${new Date()}`;
      const row = await updateUser(tx, user.id, set, sql`password_hash = ${user.passwordHash}`);
      if (row) await this.mails?.passwordChanged(tx, row, device);
      return row;
    });
    // Somebody else was faster, by a mailed code or at the command line.
    if (!updated) throw errors.wrongPassword('current_password');
    if (input.signOutOthers) this.markEnded(await endSessions(this.db, user.id, { except: session.id }, 'revoked'));
    return updated;
  }

  /** Signs a browser out: its sessions end and its secret becomes invalid. */
  async signOut({ client, session, user }: SignedIn, status: 'ended' | 'removed' = 'removed'): Promise<void> {
    this.markEnded(await endSessions(this.db, user.id, { only: session.id }, status));
    await this.db.query(sql`delete from identity_client where id = ${client.id}`);
  }

  async revoke(user: UserRow, sessionId: string): Promise<boolean> {
    const ended = await endSessions(this.db, user.id, { only: sessionId }, 'revoked');
    this.markEnded(ended);
    return ended.length > 0;
  }
}
