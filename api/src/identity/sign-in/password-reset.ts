/** A new password for who has forgotten it, by a code that is mailed to the account's confirmed address. */
import { sql } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import type { CodeMails } from '../mails/code-mails';
import { errors } from '../errors';
import { checkPassword } from '../factors/passwords';
import { deviceIdOf } from '../device';
import type { Parts } from '../parts';
import { userAt, type Begun, type Entered, type SignIn, type SignInFlow } from './sign-in';
import { endSessions, findUser, setFlow, updateUser, type ClientRow, type Device, type UserRow } from '../store';

const accountOf = (user: UserRow | undefined, identifier: string): string => user?.id ?? identifier.toLowerCase();

export class PasswordReset {
  constructor(
    private readonly service: Parts & { readonly signIn: SignIn },
    private readonly mails: CodeMails,
  ) {}

  /** Mails a code. The answer is the same for names that nobody has. */
  async sendCode(client: ClientRow, flow: SignInFlow, device: Device): Promise<Begun> {
    const { identifier } = flow;
    const user = await findUser(this.service.db, identifier);
    const to = user?.emailVerifiedAt ? user.email : null;
    const account = accountOf(user, identifier);
    const known = deviceIdOf(device.known, user);
    return this.mails.send(
      client.id,
      { kind: 'reset', to, account, known, name: user?.userName ?? identifier, device },
      (mailed): SignInFlow => ({ ...flow, status: 'needs_first_factor', mailed }),
    );
  }

  async attemptCode(
    client: ClientRow,
    flow: SignInFlow,
    code: string | undefined,
    device: Device,
  ): Promise<Begun<SignInFlow>> {
    const user = await findUser(this.service.db, flow.identifier);
    const place = { address: device.ip, known: deviceIdOf(device.known, user) };
    // Not with a code that went to an address which is not the account's any more.
    const mailed = flow.mailed?.to && flow.mailed.to !== user?.email ? { ...flow.mailed, to: null } : flow.mailed;
    await this.mails.check(`reset ${accountOf(user, flow.identifier)}`, place, mailed, code);
    const next: SignInFlow = { ...flow, status: 'needs_new_password', passwordAt: Date.now(), mailed: undefined };
    return { client: await setFlow(this.service.db, client.id, next), flow: next };
  }

  /** Sets the password and ends every session, then goes on with the sign-in: a code of the app is still asked for. */
  async setPassword(
    client: ClientRow,
    flow: SignInFlow,
    password: string | undefined,
    device: Device,
  ): Promise<Begun | Entered> {
    const user = await userAt(this.service.db, flow, 'needs_new_password');
    if (!user?.email) {
      await setFlow(this.service.db, client.id, null);
      throw errors.signInOver();
    }
    const { id, email, userName } = user;
    checkPassword(password ?? '', [userName, email]);
    const passwordHash = await this.service.hash(password ?? '', device.ip);
    const changed = await transaction(this.service.db, async (tx) => {
      const set = sql`password_hash = ${passwordHash}, updated_at = ${new Date()}`;
      const row = await updateUser(tx, id, set, sql`password_hash = ${user.passwordHash}`);
      if (!row) return null;
      await this.mails.passwordChanged(tx, row, device);
      return { row, ended: await endSessions(tx, id, {}, 'revoked') };
    });
    if (!changed) throw errors.signInOver();
    this.service.markEnded(changed.ended);
    return this.service.signIn.afterPassword(client, flow, changed.row, device);
  }
}
