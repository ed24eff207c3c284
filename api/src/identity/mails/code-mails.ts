/** Codes that are sent to an e-mail address and entered on the page. */
import { randomInt } from 'node:crypto';
import type { Language } from '@pool/shared/i18n/languages';
import type { Pool } from 'pg';
import type { Querier } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import type { Mailer, MailKind } from '../../messages/mail';
import type { Secrets } from '../../platform/secrets';
import { isDown } from '../../messages/outbox/outbox';
import { errors } from '../errors';
import { digitsOf } from '../factors/codes';
import { Attempts, MAIL_LIMITS, MAILED_CODE_LIMITS, type Place } from '../limits/attempts';
import { makeLink, type NewLink } from './links';
import { setFlow, type ClientRow, type Device, type Flow, type MailedCode, type UserRow } from '../store';

const VALID_S = 600;

/** Owner of a sealed code, which counts only for the address it was sent to. */
const ownerOf = (to: string | null): string => `mailed code ${to}`;

/**
 * `to` null: it is sent to nobody, with the same answer. `account`: who is counted as the receiver. `known`: id of a
 * device or session of the account itself, which strangers' requests do not hold up.
 */
type Letter = { kind: MailKind; to: string | null; account: string; known?: string; name: string; device: Device };

type Notice = { kind: MailKind; values: Record<string, string>; link?: Omit<NewLink, 'userId'>; lifeH?: number };

export class CodeMails {
  private readonly attempts: Attempts;
  private readonly sent: Attempts;

  constructor(
    private readonly db: Pool,
    private readonly mailer: Mailer,
    private readonly secrets: Secrets,
    private readonly publicUrl: string | undefined,
  ) {
    this.attempts = new Attempts(db, MAILED_CODE_LIMITS);
    this.sent = new Attempts(db, MAIL_LIMITS);
  }

  /** Mails a code and stores it, sealed (six digits are soon found from a hash), in the flow that `store` returns. */
  async send<F extends Flow>(
    clientId: string,
    letter: Letter,
    store: (mailed: MailedCode) => F,
  ): Promise<{ client: ClientRow; flow: F }> {
    const { kind, to, name, device } = letter;
    await this.sent.take(letter.account, { address: device.ip, known: letter.known });
    const code = randomInt(1_000_000).toString().padStart(6, '0');
    const expiresAt = Date.now() + VALID_S * 1000;
    const known = kind.endsWith('_known');
    const receiver = known ? null : to;
    const flow = store({ sealed: this.secrets.seal(code, ownerOf(receiver)), to: receiver, expiresAt });
    const client = await transaction(this.db, async (tx) => {
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
      return setFlow(tx, clientId, flow);
    });
    // It is tried all the same: the server may be back, and nothing else would find out.
    if (await isDown(this.db, 'mail')) throw errors.mailDown();
    return { client, flow };
  }

  /** Throws unless `code` is the one that was mailed; guesses are limited. */
  async check(account: string, place: Place, mailed: MailedCode | undefined, code: string | undefined): Promise<void> {
    if (!code) throw errors.missing('code');
    if (!mailed || Date.now() > mailed.expiresAt) throw errors.codeExpired();
    const { to, sealed } = mailed;
    const isRight = async (): Promise<boolean> =>
      to !== null && this.secrets.tryOpen(sealed, ownerOf(to)) === digitsOf(code);
    if (!(await this.attempts.check(account, place, isRight))) throw errors.wrongCode();
  }

  passwordChanged = (tx: Querier, user: UserRow, { ip, language }: Device): Promise<void> =>
    this.notice(tx, user, language, { kind: 'password_changed', values: { ip } });

  /**
   * Tells a user with a confirmed address what happened just now. `language`: the browser's, where the user's own is not
   * known: the browser may be a thief's. `lifeH`: how long it is worth sending.
   */
  async notice(
    tx: Querier,
    { id: userId, email: to, emailVerifiedAt, userName: name, language: own }: UserRow,
    language: Language,
    { kind, values, link, lifeH = link?.hours ?? 24 }: Notice,
  ): Promise<void> {
    if (!to || !emailVerifiedAt) return;
    const now = new Date();
    await this.mailer.queue(tx, {
      kind,
      to,
      language: own ?? language,
      values: { ...values, name, time: now.toISOString().slice(0, 16).replace('T', ' ') },
      link: link && (await makeLink(tx, this.publicUrl, { userId, ...link })),
      dedupe: `${kind} ${userId} ${now.getTime()}`,
      lifeS: lifeH * 3600,
    });
  }
}
