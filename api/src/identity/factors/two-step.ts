/** Two-step sign-in: an authenticator app and backup codes, which their user adds and removes. */
import { type Querier, sql } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import { errors } from '../errors';
import { backupCodeHash, newBackupCodes, newTotpSecret, totpStep, totpUri } from './codes';
import { APP_CODE_LIMITS, Attempts, type Place } from '../limits/attempts';
import type { Parts } from '../parts';
import {
  cancelRecovery,
  findUser,
  proven,
  provenAt,
  secondFactorsOf,
  updateUser,
  type SignedIn,
  type UserRow,
} from '../store';

/** Seconds for which a sign-in is recent: long enough for what asks for one. */
export const RECENT_S = 600;
/** What the encrypted secret of a user's app belongs to (`Secrets.seal`). */
export const totpOwner = (userId: string): string => `authenticator app of ${userId}`;

/**
 * Turns two-step sign-in off, if it was turned on since `since`. Null: it was not. clerk-js takes over a user whose
 * `updatedAt` is later than the one it knows.
 */
export function turnOff(db: Querier, userId: string, since = new Date(0)): Promise<UserRow | null> {
  const off = sql`totp_secret = null, totp_since = null, totp_step = 0, backup_codes = '{}', updated_at = ${new Date()}`;
  return updateUser(db, userId, off, sql`totp_since >= ${since}`);
}

/** Turns two-step sign-in off for a user who has lost app and backup codes. Null: no such user, or it is off. */
export async function removeTwoStep(db: Querier, identifier: string): Promise<UserRow | null> {
  const user = await findUser(db, identifier);
  return user ? turnOff(db, user.id) : null;
}

export function checkRecent(visitor: SignedIn): void {
  if (Date.now() - provenAt(visitor).getTime() > RECENT_S * 1000) throw errors.reverify();
}

export class TwoStep {
  private readonly attempts: Attempts;

  constructor(private readonly service: Parts) {
    this.attempts = new Attempts(service.db, APP_CODE_LIMITS);
  }

  /** Makes the secret of a new app, which counts once a code confirms it. `issuer`: what the app calls the pool. */
  async begin(visitor: SignedIn, issuer: string): Promise<{ user: UserRow; secret: string; uri: string }> {
    checkRecent(visitor);
    const secret = newTotpSecret();
    const { id, userName } = visitor.user;
    const sealed = this.service.secrets.seal(secret, totpOwner(id));
    const set = sql`totp_secret = ${sealed}, totp_step = 0`;
    const user = await updateUser(this.service.db, id, set, sql`totp_since is null`);
    if (!user) throw errors.twoStepOn();
    return { user, secret, uri: totpUri(secret, issuer, userName) };
  }

  /** Turns two-step sign-in on with the first code of the new app. Returns the backup codes: only hashes are stored. */
  async confirm(
    visitor: SignedIn,
    code: string | undefined,
    address: string,
  ): Promise<{ visitor: SignedIn; codes: string[] }> {
    const { user } = visitor;
    const place = { address, known: visitor.session.id };
    if (!(await this.accepts(user, 'totp', code, place))) throw errors.wrongCode();
    const codes = newBackupCodes();
    const hashes = codes.map((each) => backupCodeHash(user.id, each));
    const now = new Date();
    const set = sql`totp_since = ${now}, updated_at = ${now}, backup_codes = ${hashes}`;
    const same = sql`totp_since is null and totp_secret = ${user.totpSecret}`;
    const on = await this.service.pool.twoStepChanged(user.id, 'on', address, async (tx) => {
      const row = await updateUser(tx, user.id, set, same);
      // Throws, and nothing is turned on, if the session was ended meanwhile.
      return row && this.entered({ ...visitor, user: row }, tx);
    });
    if (!on) throw errors.twoStepOn();
    return { visitor: on, codes };
  }

  /** Turns it off; the backup codes are gone too. */
  async disable(visitor: SignedIn, address: string): Promise<UserRow> {
    checkRecent(visitor);
    const { id } = visitor.user;
    const user = await this.service.pool.twoStepChanged(id, 'off', address, (tx) => turnOff(tx, id));
    if (!user) throw errors.notFound();
    return user;
  }

  /** New backup codes instead of those that are left. */
  async renewCodes(visitor: SignedIn, address: string): Promise<{ user: UserRow; codes: string[] }> {
    checkRecent(visitor);
    const codes = newBackupCodes();
    const { id, passwordHash } = visitor.user;
    const hashes = codes.map((each) => backupCodeHash(id, each));
    const set = sql`backup_codes = ${hashes}, updated_at = ${new Date()}`;
    const user = await this.service.pool.twoStepChanged(id, 'codes', address, (tx) =>
      updateUser(tx, id, set, sql`totp_since is not null and password_hash = ${passwordHash}`),
    );
    if (!user) throw errors.notFound();
    return { user, codes };
  }

  /** A signed-in user enters a code again, which the session remembers. */
  async verifyAgain(
    visitor: SignedIn,
    strategy: string | undefined,
    code: string | undefined,
    address: string,
  ): Promise<SignedIn> {
    await this.check(visitor.user, strategy, code, { address, known: visitor.session.id });
    return this.entered(visitor);
  }

  /** Uses a code up; throws when it is not the user's, was used before, or after too many wrong ones. */
  async check(user: UserRow, strategy: string | undefined, code: string | undefined, place: Place): Promise<void> {
    if (!secondFactorsOf(user).some((each) => each === strategy)) throw errors.badStrategy();
    if (!(await this.accepts(user, strategy, code, place))) throw errors.wrongCode();
    // The factor is not lost.
    const { db, pool } = this.service;
    await transaction(db, async (tx) => {
      if (await cancelRecovery(tx, user.id)) await pool.told(tx, user.id, ['recovery', 'cancelled'], {}, place.address);
    });
  }

  private accepts(
    user: UserRow,
    strategy: string | undefined,
    code: string | undefined,
    place: Place,
  ): Promise<boolean> {
    if (!code) throw errors.missing('code');
    const use = () =>
      strategy === 'backup_code' ? this.useBackupCode(user, code, place.address) : this.useTotp(user, code);
    return this.attempts.check(user.id, place, use);
  }

  /** The database decides whether the code is new: the same one sent twice at once is accepted once. */
  private async useTotp(user: UserRow, code: string): Promise<boolean> {
    const { db, secrets } = this.service;
    const secret = user.totpSecret && secrets.tryOpen(user.totpSecret, totpOwner(user.id));
    const step = secret ? totpStep(secret, code) : null;
    if (step === null) return false;
    return (await updateUser(db, user.id, sql`totp_step = ${step}`, sql`totp_step < ${step}`)) !== null;
  }

  private async useBackupCode(user: UserRow, code: string, address: string): Promise<boolean> {
    const hash = backupCodeHash(user.id, code);
    const set = sql`backup_codes = array_remove(backup_codes, ${hash})`;
    const used = await this.service.pool.twoStepChanged(user.id, 'code_used', address, (tx) =>
      updateUser(tx, user.id, set, sql`${hash} = any(backup_codes)`),
    );
    return used !== null;
  }

  private readonly entered = (visitor: SignedIn, db: Querier = this.service.db): Promise<SignedIn> =>
    proven(db, visitor, { secondFactorAt: new Date() });
}
