/** A signed-in user confirms the account's e-mail address with a code that is mailed there. */
import { and, eq } from 'drizzle-orm';
import type { Db } from '../db/database';
import { identityUser } from '../db/schema';
import type { CodeMails } from './code-mails';
import { errors } from './errors';
import { newId, type ClientRow, type Device, type Flow, type SignedIn, type UserRow } from './store';

type VerifyFlow = Extract<Flow, { kind: 'verify_email' }>;

export class OwnEmail {
  constructor(
    private readonly db: Db,
    private readonly mails: CodeMails,
  ) {}

  async sendCode({ client, user }: SignedIn, device: Device): Promise<ClientRow> {
    const { email, id, userName: name } = user;
    if (!email || user.emailVerifiedAt) throw errors.badStrategy();
    const flow = await this.mails.send(
      client.id,
      { kind: 'verify', to: email, account: id, name, device },
      (mailed): VerifyFlow => ({ kind: 'verify_email', id: newId('vem'), mailed }),
    );
    return { ...client, flow };
  }

  async attemptCode({ client, user, session }: SignedIn, code: string | undefined, device: Device): Promise<UserRow> {
    const flow = client.flow as Flow | null;
    const mailed = flow?.kind === 'verify_email' ? flow.mailed : undefined;
    await this.mails.check(`verify ${user.id}`, { address: device.ip ?? '', known: session.id }, mailed, code);
    const [verified] = await this.db
      .update(identityUser)
      .set({ emailVerifiedAt: new Date(), language: device.language, updatedAt: new Date() })
      .where(and(eq(identityUser.id, user.id), eq(identityUser.email, mailed?.to ?? '')))
      .returning();
    if (!verified) throw errors.codeExpired();
    return verified;
  }
}
