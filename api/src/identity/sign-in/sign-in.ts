/** Signs in: by a passkey, or by a password and, where two-step sign-in is on, a code. */
import { type Querier, sql } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import { SharedRateLimit } from '../../platform/limits/shared-rate-limit';
import { errors, fieldError } from '../errors';
import { verifyPassword } from '../factors/passwords';
import { deviceIdOf } from '../device';
import type { Parts } from '../parts';
import type { Passkeys } from '../factors/passkeys';
import type { TwoStep } from '../factors/two-step';
import { signInNotice } from './sign-in-notice';
import {
  createClient,
  findUser,
  newId,
  secondFactorsOf,
  setFlow,
  startSession,
  type ClientRow,
  type Device,
  type Flow,
  type SignedIn,
  type UserRow,
  type Visitor,
} from '../store';
import { NAME_MAX } from '../people/users';

/** Sign-ins that a network begins in a minute; each is a row. */
const BEGUN_A_MINUTE = 60;
/** How long after a right password, or code, the next step is taken. */
const WITHIN_MS = 600_000;
export type SignInFlow = Extract<Flow, { kind: 'sign_in' }>;
export type SignUpFlow = Extract<Flow, { kind: 'sign_up' }>;
/** Flow of a browser that is not signed in. */
export type EntryFlow = SignInFlow | SignUpFlow;
export type Entered = { visitor: SignedIn; secret: string };
/** `secret`: a new browser's. */
export type Begun<F extends EntryFlow = EntryFlow> = { client: ClientRow; flow: F; secret?: string };

/** The user of a flow at a step; undefined: it comes late, or after a change of the account (so of the password). */
export async function userAt(db: Querier, flow: SignInFlow, step: SignInFlow['status']): Promise<UserRow | undefined> {
  const user = await findUser(db, flow.identifier);
  const since = flow.status === step ? (flow.passwordAt ?? 0) : 0;
  return user && since >= user.updatedAt.getTime() && Date.now() - since <= WITHIN_MS ? user : undefined;
}

/** Stores a flow in the browser's row, which is made when there is none. */
export async function storeFlow<F extends EntryFlow>(db: Querier, visitor: Visitor | null, flow: F): Promise<Begun<F>> {
  if (visitor) return { client: await setFlow(db, visitor.client.id, flow), flow };
  const { client, secret } = await createClient(db);
  return { client: await setFlow(db, client.id, flow), flow, secret };
}

export class SignIn {
  private readonly begun: SharedRateLimit;
  private readonly notice: ReturnType<typeof signInNotice>;

  constructor(private readonly service: Parts & { readonly passkeys: Passkeys; readonly twoStep: TwoStep }) {
    this.begun = new SharedRateLimit(service.db, 'sign-in', BEGUN_A_MINUTE);
    this.notice = signInNotice(service);
  }

  private async limit(address: string): Promise<void> {
    const wait = await this.begun.takeFrom(address);
    if (wait) throw errors.tooMany(wait);
  }

  /** First step: accepts any identifier; whether it exists shows only with the right password. */
  async begin(visitor: Visitor | null, identifier: string | undefined, address: string): Promise<Begun<SignInFlow>> {
    if (visitor?.session) throw errors.signedIn();
    if (!identifier?.trim()) throw errors.missing('identifier');
    if (identifier.length > NAME_MAX)
      throw fieldError('form_param_max_length_exceeded', 'identifier', `At most ${NAME_MAX} characters.`);
    await this.limit(address);
    return storeFlow(this.service.db, visitor, {
      kind: 'sign_in',
      id: newId('sia'),
      identifier: identifier.trim(),
      status: 'needs_first_factor',
      canReset: this.service.mails !== null,
    });
  }

  /** First step of a sign-in that a passkey ends: it is the same for everybody, and says who it is. */
  async beginPasskey(visitor: Visitor | null, origin: string, address: string): Promise<Begun<SignInFlow>> {
    if (visitor?.session) throw errors.signedIn();
    await this.limit(address);
    return storeFlow(this.service.db, visitor, {
      kind: 'sign_in',
      id: newId('sia'),
      identifier: '',
      strategy: 'passkey',
      passkey: await this.service.passkeys.ask(origin),
      status: 'needs_first_factor',
      canReset: false,
    });
  }

  async attemptPasskey(
    { client, flow }: Begun<SignInFlow>,
    text: string | undefined,
    origin: string,
    device: Device,
  ): Promise<Entered> {
    const { user, use } = await this.service.passkeys.check(client, text, origin, device.ip);
    return this.enter(client, { ...flow, passkey: undefined, identifier: user.userName }, user, device, use);
  }

  /** Signs in, or asks for a code. `wrong` is what is thrown when the password is not that of the name. */
  async attemptPassword(
    begun: Begun<SignInFlow>,
    password: string | undefined,
    device: Device,
    wrong = errors.wrongPassword,
  ): Promise<Entered | Begun> {
    if (!password) throw errors.missing('password');
    const { client, flow } = begun;
    const user = await findUser(this.service.db, flow.identifier);
    const place = { address: device.ip, known: deviceIdOf(device.known, user) };
    const account = user?.id ?? flow.identifier.toLowerCase();
    if (
      !(await this.service.attempts.check(account, place, () => verifyPassword(password, user?.passwordHash))) ||
      !user
    )
      throw wrong();
    return { ...begun, ...(await this.afterPassword(client, flow, user, device)) };
  }

  async afterPassword(client: ClientRow, flow: SignInFlow, user: UserRow, device: Device): Promise<Entered | Begun> {
    if (!user.totpSince) return this.enter(client, flow, user, device);
    const secondFactors = secondFactorsOf(user);
    const next: SignInFlow = { ...flow, status: 'needs_second_factor', passwordAt: Date.now(), secondFactors };
    return { client: await setFlow(this.service.db, client.id, next), flow: next };
  }

  /** Second step: a code, soon after the password, and only if the account (so the password) has not changed since. */
  async attemptCode(
    client: ClientRow,
    flow: SignInFlow,
    { strategy, code }: { strategy?: string; code?: string },
    device: Device,
  ): Promise<Entered> {
    const user = await userAt(this.service.db, flow, 'needs_second_factor');
    if (!user) {
      await setFlow(this.service.db, client.id, null);
      throw errors.signInOver();
    }
    const place = { address: device.ip, known: deviceIdOf(device.known, user) };
    await this.service.twoStep.check(user, strategy, code, place);
    return this.enter(client, flow, user, device);
  }

  /** `also`: done in its transaction. */
  private async enter(
    client: ClientRow,
    flow: SignInFlow,
    user: UserRow,
    device: Device,
    also?: (tx: Querier) => Promise<void>,
  ): Promise<Entered> {
    if (await this.service.pool.isDisabled(user.id)) throw errors.disabled();
    return transaction(this.service.db, async (tx) => {
      // The password may have been replaced since it was checked.
      const same = await tx.query(sql`
        select from identity_user where id = ${user.id} and password_hash = ${user.passwordHash} for share`);
      if (!same.rowCount) throw errors.signInOver();
      await also?.(tx);
      await this.notice(tx, user, device);
      return startSession(tx, client, user, device, (sessionId) => ({ ...flow, status: 'complete', sessionId }));
    });
  }
}
