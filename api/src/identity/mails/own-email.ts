/** A user confirms or changes the e-mail address by a mailed code; the old one can be put back for three days. */
import type { Pool } from 'pg';
import { brokenUnique, sql, type Querier } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import type { CodeMails } from './code-mails';
import { errors } from '../errors';
import {
  addressTaken,
  newId,
  setFlow,
  updateUser,
  type ClientRow,
  type Device,
  type Flow,
  type SignedIn,
  type UserRow,
} from '../store';
import { checkRecent } from '../factors/two-step';
import { checkEmail, type PoolAccounts } from '../people/users';

type VerifyFlow = Extract<Flow, { kind: 'verify_email' }>;
const flowOf = ({ flow }: ClientRow): VerifyFlow | undefined =>
  (flow as Flow | null)?.kind === 'verify_email' ? (flow as VerifyFlow) : undefined;

/** How long the old address can be put back. */
const RESTORE_H = 72;

export class OwnEmail {
  constructor(
    private readonly db: Pool,
    private readonly mails: CodeMails,
    private readonly pool: PoolAccounts,
  ) {}

  /** Begins a change. The answer is the same for an address that is taken. */
  async change(visitor: SignedIn, address: string | undefined): Promise<ClientRow> {
    checkRecent(visitor);
    const email = checkEmail(address);
    if (email === visitor.user.email) throw errors.taken('email_address', 'email address');
    const flow: VerifyFlow = { kind: 'verify_email', id: newId('vem'), email };
    return setFlow(this.db, visitor.client.id, flow);
  }

  /** `isNew`: to the address of a change. */
  async sendCode({ client, user, session }: SignedIn, device: Device, isNew: boolean): Promise<ClientRow> {
    const { email: own, id, userName: name } = user;
    const email = isNew ? flowOf(client)?.email : undefined;
    // A change that was begun after a recent sign-in is not gone on with at any age.
    if (isNew) checkRecent({ client, user, session });
    const to = isNew ? email : own;
    if (!to || (!isNew && user.emailVerifiedAt)) throw errors.badStrategy();
    const kind = isNew && (await addressTaken(this.db, to, id)) ? 'email_known' : 'verify';
    const letter = { kind, to, account: id, known: 'signed in', name, device } as const;
    const flow = { kind: 'verify_email', id: newId('vem'), email } as const;
    return (await this.mails.send(client.id, letter, (mailed): VerifyFlow => ({ ...flow, mailed }))).client;
  }

  async attemptCode(
    { client, user, session }: SignedIn,
    code: string | undefined,
    device: Device,
    isNew: boolean,
  ): Promise<UserRow> {
    const flow = flowOf(client);
    const mailed = isNew === (flow?.email !== undefined) ? flow?.mailed : undefined;
    await this.mails.check(`verify ${user.id}`, { address: device.ip, known: session.id }, mailed, code);
    const email = mailed?.to ?? '';
    return transaction(this.db, async (tx) => {
      const now = new Date();
      // The address is as it was when this began: another change, or a link that put one back, may have been faster.
      const set = sql`
        email_verified_at = ${now}, updated_at = ${now}, language = ${device.language}, email = ${email}`;
      const same = sql`
        email is not distinct from ${isNew ? user.email : email} and password_hash = ${user.passwordHash}`;
      const verified = await updateUser(tx, user.id, set, same);
      if (!verified || (isNew && (await addressTaken(tx, email, user.id)))) throw errors.codeExpired();
      await setFlow(tx, client.id, null);
      if (isNew) await this.tellOld(tx, user, email, device);
      return verified;
    }).catch((error: unknown) => {
      throw brokenUnique(error) === null ? error : errors.codeExpired();
    });
  }

  /** `before`: the user with the old address. */
  private async tellOld(tx: Querier, before: UserRow, email: string, device: Device): Promise<void> {
    const { ip } = device;
    await this.pool.emailIs(tx, before.id, email);
    await this.pool.told(tx, before.id, ['email', 'changed'], { email }, ip);
    const link = { kind: 'restore_email', email: before.email ?? undefined, hours: RESTORE_H } as const;
    await this.mails.notice(tx, before, device.language, { kind: 'email_changed', values: { email, ip }, link });
  }
}
