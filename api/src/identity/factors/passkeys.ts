/**
 * Passkeys (WebAuthn): a user adds and removes them, signs in with one, and confirms with one what needs a recent
 * sign-in. A passkey is asked to verify its user (fingerprint, face, PIN), so that one is possession and knowledge
 * together and counts as password and code (docs/adr/0030-passkeys.md).
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { brokenUnique, firstRow, joinedRows, oneRow, type Querier, rowsOf, sql } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import { deviceOf } from '../device';
import { errors } from '../errors';
import {
  answerIn,
  ASKED_MS,
  challengeOf,
  relyingParty,
  type RelyingParty,
  takeQuestion,
  verified,
  webauthn,
} from './passkey-question';
import type { Parts } from '../parts';
import {
  cancelRecovery,
  newId,
  proven,
  setFlow,
  updateUser,
  type Challenge,
  type ClientRow,
  type Device,
  type Flow,
  type SignedIn,
  type UserRow,
} from '../store';
import { checkRecent } from './two-step';
import { checkLine, NAME_MAX } from '../people/users';

/** The public half of a key pair of a device, in `identity_passkey`: a way to sign in beside the password. */
export type PasskeyRow = {
  /** `passkey_…` */
  id: string;
  userId: string;
  credentialId: string;
  publicKey: Buffer;
  /** Number of its uses, as the device counts them; 0: it does not count. */
  counter: number;
  transports: string[];
  name: string;
  createdAt: Date;
  updatedAt: Date;
  lastUsedAt: Date | null;
};
type PasskeyFlow = Extract<Flow, { kind: 'passkey' }>;
/** `use`: writes it in the transaction of what the passkey opens. */
type UsedPasskey = { user: UserRow; use(tx: Querier): Promise<void> };

const MAX = 20;
/** Hours for which the link in the mail about a change works. */
const LINK_H = 168;
/** EdDSA, ES256 and RS256: what every library and authenticator knows. */
const ALGORITHMS = [-8, -7, -257];

export const passkeysOf = (db: Querier, userId: string): Promise<PasskeyRow[]> =>
  rowsOf<PasskeyRow>(db)`select * from identity_passkey where user_id = ${userId} order by created_at`;

/** Removes all passkeys of a user: a thief in the account may have added or used one. */
export const removeAll = (tx: Querier, userId: string) =>
  tx.query(sql`delete from identity_passkey where user_id = ${userId}`);

export class Passkeys {
  constructor(private readonly service: Parts) {}

  isOffered = (origin: string): boolean => relyingParty(origin, this.service.publicUrl) !== null;

  private site(origin: string): RelyingParty {
    const site = relyingParty(origin, this.service.publicUrl);
    if (!site) throw errors.badStrategy();
    return site;
  }

  /** What is asked of any passkey of the site, or of those of a user. */
  async ask(origin: string, of?: readonly PasskeyRow[]): Promise<Challenge> {
    const { generateAuthenticationOptions } = await webauthn();
    const options = await generateAuthenticationOptions({
      rpID: this.site(origin).id,
      userVerification: 'required',
      timeout: ASKED_MS,
      allowCredentials: of?.map(described),
    });
    return challengeOf(options);
  }

  /** A signed-in user is asked for one of the own passkeys. */
  async askAgain({ client, user }: SignedIn, origin: string): Promise<{ client: ClientRow; asked: Challenge }> {
    const own = await passkeysOf(this.service.db, user.id);
    if (!own.length) throw errors.badStrategy();
    const asked = await this.ask(origin, own);
    const flow: PasskeyFlow = { kind: 'passkey', id: newId('pkv'), passkey: asked };
    return { asked, client: await setFlow(this.service.db, client.id, flow) };
  }

  /** The answer in `text`, and what it has to be the answer to. The question is used up. */
  private async answerTo(site: RelyingParty, client: ClientRow, text: string | undefined) {
    const expectedChallenge = await takeQuestion(this.service.db, client);
    const expected = {
      expectedChallenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
    };
    return { response: answerIn(text), expected };
  }

  /** Throws unless `text` is the right answer, of a passkey that somebody has. */
  async check(client: ClientRow, text: string | undefined, origin: string, ip: string): Promise<UsedPasskey> {
    const { response, expected } = await this.answerTo(this.site(origin), client, text);
    const [found] = await joinedRows<[PasskeyRow, UserRow]>(
      this.service.db,
      `select p.*, u.* from identity_passkey p join identity_user u on u.id = p.user_id where p.credential_id = $1`,
      [response.id],
    );
    const { userHandle } = response.response;
    if (!found || (userHandle && Buffer.from(userHandle, 'base64url').toString() !== found[1].id))
      throw errors.wrongPasskey();
    const [row, user] = found;
    const { verifyAuthenticationResponse } = await webauthn();
    // Throws for a wrong origin or site, an unverified user, and a counter that does not go forward: a copy of the key.
    const { authenticationInfo } = await verified(
      verifyAuthenticationResponse({
        response: response as unknown as AuthenticationResponseJSON,
        ...expected,
        credential: { ...described(row), publicKey: new Uint8Array(row.publicKey), counter: row.counter },
      }),
    );
    const use = async (tx: Querier): Promise<void> => {
      // The passkey may have been removed meanwhile, or used elsewhere with a counter that went further.
      const { rowCount } = await tx.query(sql`
        update identity_passkey set counter = ${authenticationInfo.newCounter}, last_used_at = ${new Date()}
        where id = ${row.id} and counter = ${row.counter}`);
      if (!rowCount) throw errors.wrongPasskey();
      // A user with a passkey needs no removal of the second factor: it is turned off in the account.
      if (await cancelRecovery(tx, user.id))
        await this.service.pool.told(tx, user.id, ['recovery', 'cancelled'], {}, ip);
    };
    return { user, use };
  }

  /** Counts as a recent sign-in with password and code. */
  async verifyAgain(visitor: SignedIn, text: string | undefined, origin: string, ip: string): Promise<SignedIn> {
    const { user, use } = await this.check(visitor.client, text, origin, ip);
    if (user.id !== visitor.user.id) throw errors.wrongPasskey();
    return transaction(this.service.db, async (tx) => {
      const now = new Date();
      await use(tx);
      return proven(tx, visitor, { signedInAt: now, ...(user.totpSince ? { secondFactorAt: now } : {}) });
    });
  }

  /** Asks the browser for a new passkey. `site`: what the device calls the pool. */
  async begin(visitor: SignedIn, name: string, origin: string): Promise<{ client: ClientRow; flow: PasskeyFlow }> {
    checkRecent(visitor);
    const { user, client } = visitor;
    const own = await passkeysOf(this.service.db, user.id);
    if (own.length >= MAX) throw errors.passkeyLimit(MAX);
    const { generateRegistrationOptions } = await webauthn();
    const options = await generateRegistrationOptions({
      rpName: name,
      rpID: this.site(origin).id,
      userName: user.userName,
      userDisplayName: user.userName,
      userID: new TextEncoder().encode(user.id),
      timeout: ASKED_MS,
      // The make of the device is nobody's business here, and no make is refused.
      attestationType: 'none',
      excludeCredentials: own.map(described),
      // So that the sign-in need not ask for a name, which would tell who has passkeys.
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
    });
    const flow: PasskeyFlow = { kind: 'passkey', id: newId('passkey'), passkey: challengeOf(options) };
    return { client: await setFlow(this.service.db, client.id, flow), flow };
  }

  async finish({ client, user }: SignedIn, id: string, text: string | undefined, origin: string, device: Device) {
    const site = this.site(origin);
    if ((client.flow as Flow | null)?.id !== id) throw errors.notFound();
    const { response, expected } = await this.answerTo(site, client, text);
    const { verifyRegistrationResponse } = await webauthn();
    const { registrationInfo } = await verified(
      verifyRegistrationResponse({
        response: response as unknown as RegistrationResponseJSON,
        ...expected,
        supportedAlgorithmIDs: ALGORITHMS,
      }),
    );
    const { credential } = registrationInfo;
    const { browser_name: browser, device_type: system } = deviceOf(device.userAgent);
    const added = await this.changed(
      user,
      'added',
      device,
      (tx) =>
        oneRow<PasskeyRow>(tx)`
        insert into identity_passkey (id, user_id, credential_id, public_key, counter, transports, name)
        values (${id}, ${user.id}, ${credential.id}, ${Buffer.from(credential.publicKey)}, ${credential.counter},
          ${response.response.transports ?? []}, ${[browser, system].filter(Boolean).join(', ') || 'Passkey'})
          returning *`,
    ).catch((error: unknown) => {
      throw brokenUnique(error) === null ? error : errors.wrongPasskey();
    });
    if (!added) throw errors.wrongPasskey();
    return added;
  }

  async rename({ user }: SignedIn, id: string, text: string | undefined): Promise<{ row: PasskeyRow; user: UserRow }> {
    const name = checkLine('name', text?.trim() ?? '');
    if (!name) throw errors.missing('name');
    return transaction(this.service.db, async (tx) => {
      const row = await firstRow<PasskeyRow>(tx)`
        update identity_passkey set name = ${name.slice(0, NAME_MAX)}, updated_at = ${new Date()} where id = ${id}
          and user_id = ${user.id} returning *`;
      if (!row) throw errors.notFound();
      return { row, user: await touched(tx, user) };
    });
  }

  async remove(visitor: SignedIn, id: string, device: Device): Promise<{ row: PasskeyRow; user: UserRow }> {
    checkRecent(visitor);
    const removed = await this.changed(visitor.user, 'removed', device, async (tx) => {
      const row = await firstRow<PasskeyRow>(tx)`
        delete from identity_passkey where id = ${id} and user_id = ${visitor.user.id} returning *`;
      return row;
    });
    if (!removed) throw errors.notFound();
    return removed;
  }

  /** Runs `work`, which adds or removes a passkey, and tells the user in the bell and by mail. */
  private changed(
    user: UserRow,
    what: 'added' | 'removed',
    { ip, language }: Device,
    work: (tx: Querier) => Promise<PasskeyRow | undefined>,
  ): Promise<{ row: PasskeyRow; user: UserRow } | null> {
    return transaction(this.service.db, async (tx) => {
      const row = await work(tx);
      if (!row) return null;
      const values = { passkey: row.name };
      await this.service.pool.told(tx, user.id, ['passkey', what], values, ip);
      const link = { kind: 'not_me', hours: LINK_H } as const;
      await this.service.mails?.notice(tx, user, language, {
        kind: `passkey_${what}`,
        values: { ...values, ip },
        link,
      });
      return { row, user: await touched(tx, user) };
    });
  }
}

/** Passkey in the words of the library. */
const described = ({ credentialId: id, transports }: PasskeyRow) => ({ id, transports });

/** clerk-js takes over a user whose `updatedAt` is later than the one it knows. Throws when the password was replaced. */
async function touched(tx: Querier, { id, passwordHash }: UserRow): Promise<UserRow> {
  const user = await updateUser(tx, id, sql`updated_at = ${new Date()}`, sql`password_hash = ${passwordHash}`);
  if (!user) throw errors.signedOut();
  return user;
}
