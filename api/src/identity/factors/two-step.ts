/** Two-step sign-in: an authenticator app and backup codes, which their user adds and removes. */
import type { Pool } from 'pg';
import { rowsOf, type Querier } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import type { Secrets } from '../../platform/secrets';
import { errors } from '../errors';
import { backupCodeHash, newBackupCodes, newTotpSecret, totpStep, totpUri } from './codes';
import { APP_CODE_LIMITS, Attempts, type Place } from '../limits/attempts';
import { cancelRecovery, findUser, proven, provenAt, secondFactorsOf, type SignedIn, type UserRow } from '../store';
import type { PoolAccounts } from '../people/users';

/** Seconds for which a sign-in is recent: long enough for what asks for one. */
export const RECENT_S = 600;
/** What the encrypted secret of a user's app belongs to (`Secrets.seal`). */
export const totpOwner = (userId: string): string => `authenticator app of ${userId}`;

/** Changes a user if the condition holds; null when it does not. `set` names values from `$1` on, the condition too. */
async function change(
  db: Querier,
  { id }: UserRow,
  set: string,
  condition: string,
  values: readonly unknown[],
): Promise<UserRow | null> {
  const where = `id = $${values.length + 1} and ${condition}`;
  const [user] = await rowsOf<UserRow>(db, `update identity_user set ${set} where ${where} returning *`, [
    ...values,
    id,
  ]);
  return user ?? null;
}

/**
 * Turns two-step sign-in off, if it was turned on since `since`. Null: it was not. clerk-js takes over a user whose
 * `updatedAt` is later than the one it knows.
 */
export async function turnOff(db: Querier, userId: string, since = new Date(0)): Promise<UserRow | null> {
  const [user] = await rowsOf<UserRow>(db)`
    update identity_user
    set totp_secret = null, totp_since = null, totp_step = 0, backup_codes = '{}', updated_at = ${new Date()}
    where id = ${userId} and totp_since >= ${since} returning *`;
  return user ?? null;
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

  constructor(
    private readonly db: Pool,
    private readonly secrets: Secrets,
    private readonly pool: PoolAccounts,
  ) {
    this.attempts = new Attempts(db, APP_CODE_LIMITS);
  }

  /** Makes the secret of a new app, which counts once a code confirms it. `issuer`: what the app calls the pool. */
  async begin(visitor: SignedIn, issuer: string): Promise<{ user: UserRow; secret: string; uri: string }> {
    checkRecent(visitor);
    const secret = newTotpSecret();
    const { id, userName } = visitor.user;
    const totpSecret = this.secrets.seal(secret, totpOwner(id));
    const user = await change(this.db, visitor.user, 'totp_secret = $1, totp_step = 0', 'totp_since is null', [
      totpSecret,
    ]);
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
    if (user.totpSince) throw errors.twoStepOn();
    const place = { address, known: visitor.session.id };
    if (!(await this.accepts(user, 'totp', code, place))) throw errors.wrongCode();
    const codes = newBackupCodes();
    const hashes = codes.map((each) => backupCodeHash(user.id, each));
    const on = await this.pool.twoStepChanged(user.id, 'on', address, (tx) =>
      change(
        tx,
        user,
        'totp_since = $1, updated_at = $1, backup_codes = $2',
        'totp_since is null and totp_secret = $3',
        [new Date(), hashes, user.totpSecret],
      ),
    );
    if (!on) throw errors.twoStepOn();
    return { visitor: await this.entered({ ...visitor, user: on }), codes };
  }

  /** Turns it off; the backup codes are gone too. */
  async disable(visitor: SignedIn, address: string): Promise<UserRow> {
    checkRecent(visitor);
    const user = await this.pool.twoStepChanged(visitor.user.id, 'off', address, (tx) => turnOff(tx, visitor.user.id));
    if (!user) throw errors.notFound();
    return user;
  }

  /** New backup codes instead of those that are left. */
  async renewCodes(visitor: SignedIn, address: string): Promise<{ user: UserRow; codes: string[] }> {
    checkRecent(visitor);
    const codes = newBackupCodes();
    const hashes = codes.map((each) => backupCodeHash(visitor.user.id, each));
    const user = await this.pool.twoStepChanged(visitor.user.id, 'codes', address, (tx) =>
      change(tx, visitor.user, 'backup_codes = $1, updated_at = $2', 'totp_since is not null', [hashes, new Date()]),
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
    await transaction(this.db, async (tx) => {
      if (await cancelRecovery(tx, user.id))
        await this.pool.told(tx, user.id, ['recovery', 'cancelled'], {}, place.address);
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
    const secret = user.totpSecret && this.secrets.tryOpen(user.totpSecret, totpOwner(user.id));
    const step = secret ? totpStep(secret, code) : null;
    return step !== null && (await change(this.db, user, 'totp_step = $1', 'totp_step < $1', [step])) !== null;
  }

  private async useBackupCode(user: UserRow, code: string, address: string): Promise<boolean> {
    const hash = backupCodeHash(user.id, code);
    const used = await this.pool.twoStepChanged(user.id, 'code_used', address, (tx) =>
      change(tx, user, 'backup_codes = array_remove(backup_codes, $1)', '$1 = any(backup_codes)', [hash]),
    );
    return used !== null;
  }

  private readonly entered = (visitor: SignedIn): Promise<SignedIn> =>
    proven(this.db, visitor, { secondFactorAt: new Date() });
}
