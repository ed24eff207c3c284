/** Codes that are sent to an e-mail address and entered on the page. */
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { Db, DbOrTx } from '../db/database';
import type { Mail, Mailer, MailKind } from '../mail';
import { networkOf } from '../network-of';
import { errors } from './errors';
import { Attempts, MAILED_CODE_LIMITS, type Place } from './limits/attempts';
import { SharedLimiter } from './limits/shared-limiter';
import { setFlow, type Device, type Flow, type MailedCode, type UserRow } from './store';

const VALID_S = 600;
const HOUR_MS = 3_600_000;
const MAILS_TO_ONE = 5;
const MAILS_FROM_ONE = 20;

/** Hashed with the address: a code counts only for the address it was sent to. */
const hashOf = (code: string, to: string): Buffer => createHash('sha256').update(`mailed ${to} ${code}`).digest();

/** `to` null: it is sent to nobody, with the same answer. `account`: who is counted as the receiver. */
type Letter = { kind: MailKind; to: string | null; account: string; name: string; device: Device };

export class CodeMails {
  private readonly attempts: Attempts;
  private readonly toOne: SharedLimiter;
  private readonly fromOne: SharedLimiter;

  constructor(
    private readonly db: Db,
    private readonly mailer: Mailer,
  ) {
    this.attempts = new Attempts(db, MAILED_CODE_LIMITS);
    this.toOne = new SharedLimiter(db, 'mails to', MAILS_TO_ONE, HOUR_MS);
    this.fromOne = new SharedLimiter(db, 'mails from', MAILS_FROM_ONE, HOUR_MS);
  }

  /** Mails a code and stores it, hashed, in the flow that `store` returns. */
  async send<F extends Flow>(clientId: string, letter: Letter, store: (mailed: MailedCode) => F): Promise<F> {
    const { kind, to, account, name, device } = letter;
    for (const [limiter, key] of [
      [this.fromOne, networkOf(device.ip ?? '')],
      [this.toOne, account],
    ] as const) {
      const { wait } = await limiter.take(key);
      if (wait) throw errors.tooMany(wait);
    }
    const code = randomInt(1_000_000).toString().padStart(6, '0');
    const expiresAt = Date.now() + VALID_S * 1000;
    const known = kind.endsWith('_known');
    const flow = store({ hash: hashOf(code, to ?? '').toString('base64url'), to: known ? null : to, expiresAt });
    await this.db.transaction(async (tx) => {
      await setFlow(tx, clientId, flow);
      if (to !== null)
        await this.mailer.queue(tx, {
          kind,
          to,
          language: device.language,
          values: { name },
          code: known ? undefined : code,
          dedupe: `${kind} ${flow.id} ${expiresAt}`,
          lifeS: VALID_S,
        });
    });
    this.mailer.wake();
    return flow;
  }

  /** Throws unless `code` is the one that was mailed; guesses are limited. */
  async check(account: string, place: Place, mailed: MailedCode | undefined, code: string | undefined): Promise<void> {
    if (!code) throw errors.missing('code');
    if (!mailed || Date.now() > mailed.expiresAt) throw errors.codeExpired();
    const { to, hash } = mailed;
    const isRight = async (): Promise<boolean> =>
      to !== null && timingSafeEqual(hashOf(code, to), Buffer.from(hash, 'base64url'));
    if (!(await this.attempts.check(account, place, isRight))) throw errors.wrongCode();
  }

  /** Tells a user with a confirmed address that the password was changed; call `wake` when `tx` is committed. */
  async passwordChanged(tx: DbOrTx, user: UserRow, from: Device): Promise<void> {
    if (!user.email || !user.emailVerifiedAt) return;
    await this.notice(tx, user.id, {
      kind: 'password_changed',
      to: user.email,
      language: from.language,
      values: { name: user.userName, ip: from.ip ?? '?' },
      lifeS: 86_400,
    });
  }

  /** Tells what happened just now; call `wake` when `tx` is committed. */
  notice(tx: DbOrTx, userId: string, mail: Omit<Mail, 'dedupe'>): Promise<void> {
    const now = new Date();
    return this.mailer.queue(tx, {
      ...mail,
      values: { ...mail.values, time: now.toISOString().slice(0, 16).replace('T', ' ') },
      dedupe: `${mail.kind} ${userId} ${now.getTime()}`,
    });
  }

  wake(): void {
    this.mailer.wake();
  }
}
