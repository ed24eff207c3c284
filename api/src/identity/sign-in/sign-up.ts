/** Makes accounts: at once, or after a code that was mailed to their address where the pool sends mail. */
import { SharedRateLimit } from '../../platform/limits/shared-rate-limit';
import { errors } from '../errors';
import type { Parts } from '../parts';
import { rememberBrowser } from './sign-in-notice';
import { storeFlow, type Begun, type Entered, type SignUpFlow } from './sign-in';
import {
  addressTaken,
  createClient,
  newId,
  startSession,
  type ClientRow,
  type Device,
  type Flow,
  type Visitor,
} from '../store';
import { checkNames, checkNewUser, createIdentityUser, NAME_MAX, type Names, type NewUser } from '../people/users';

type Input = Names & { userName?: string; email?: string; password?: string; operatorCode?: string };
/** Sign-ups that a network begins in a minute. */
const BEGUN_A_MINUTE = 20;

export class SignUp {
  private readonly begun: SharedRateLimit;

  constructor(private readonly service: Parts) {
    this.begun = new SharedRateLimit(service.db, 'sign-up', BEGUN_A_MINUTE);
  }

  /** Signs up, or goes on to confirm the address, when all fields are there; else stores those that came. */
  async attempt(visitor: Visitor | null, input: Input, device: Device): Promise<Begun | Entered> {
    if (visitor?.session) throw errors.signedIn();
    const wait = await this.begun.takeFrom(device.ip);
    if (wait) throw errors.tooMany(wait);
    const before = visitor?.client.flow as Flow | null | undefined;
    const kept = before?.kind === 'sign_up' && before.status !== 'complete' ? before : undefined;
    const flow: SignUpFlow = {
      kind: 'sign_up',
      id: kept?.id ?? newId('sua'),
      status: 'missing_requirements',
      userName: input.userName?.slice(0, NAME_MAX) ?? kept?.userName ?? null,
      email: input.email?.slice(0, NAME_MAX) ?? kept?.email ?? null,
      names: {
        firstName: input.firstName ?? kept?.names?.firstName,
        lastName: input.lastName ?? kept?.names?.lastName,
      },
    };
    checkNames(input);
    const { userName, email } = flow;
    const { password, operatorCode } = input;
    // A field that was sent empty is refused below; one that was not sent may follow.
    if (userName === null || email === null || password === undefined) return storeFlow(this.service.db, visitor, flow);
    const address = device.ip;
    if (!this.service.mails) {
      const { client } = visitor ?? (await createClient(this.service.db));
      const wanted = { userName, email, password, operatorCode };
      return this.service.queued(address, () => this.create(client, flow, wanted, device));
    }
    const names = await checkNewUser(this.service.db, this.service.pool, { userName, email, password });
    const passwordHash = await this.service.hash(password, address);
    return storeFlow(this.service.db, visitor, { ...flow, ...names, toConfirm: { passwordHash, operatorCode } });
  }

  /** What a mailed code confirms; throws where there is nothing yet. */
  private confirmed({ email, userName, toConfirm }: SignUpFlow) {
    const { mails } = this.service;
    if (!mails || !toConfirm || !email || !userName) throw errors.badStrategy();
    return { mails, email, userName, toConfirm };
  }

  /** Mails the code. Who owns an address that is taken is told so there, and the page says the same as for others. */
  async sendCode(client: ClientRow, flow: SignUpFlow, device: Device): Promise<Begun> {
    const { mails, email, userName: name, toConfirm } = this.confirmed(flow);
    const kind = (await addressTaken(this.service.db, email)) ? 'sign_up_known' : 'verify';
    return mails.send(client.id, { kind, to: email, account: email, name, device }, (mailed): SignUpFlow => ({
      ...flow,
      toConfirm: { ...toConfirm, mailed },
    }));
  }

  /** Makes the account with the code. */
  async attemptCode(client: ClientRow, flow: SignUpFlow, code: string | undefined, device: Device): Promise<Entered> {
    const { mails, email, userName, toConfirm } = this.confirmed(flow);
    await mails.check(`sign-up ${email}`, { address: device.ip }, toConfirm.mailed, code);
    const { passwordHash, operatorCode } = toConfirm;
    const confirmed = { passwordHash, emailVerifiedAt: new Date(), language: device.language };
    return this.create(client, flow, { userName, email, operatorCode, ...confirmed }, device);
  }

  private async create(client: ClientRow, flow: SignUpFlow, wanted: NewUser, device: Device): Promise<Entered> {
    const { also } = await createIdentityUser(
      this.service.db,
      this.service.pool,
      { ...wanted, names: flow.names },
      async (tx, user) => {
        await rememberBrowser(tx, user, device);
        return startSession(tx, client, user, device, (sessionId) => ({
          ...flow,
          status: 'complete',
          userName: user.userName,
          email: user.email,
          sessionId,
          userId: user.id,
          toConfirm: undefined,
        }));
      },
    );
    return also;
  }
}
