/** Objects that clerk-js reads, in the wire shapes of `@clerk/types` (`*JSON`); times are Unix milliseconds. */
import type { Membership } from '../accounts/organizations/organizations';
import { deviceOf } from './device';
import { factorAges } from './tokens/keys';
import { membershipJson, publicUser, times } from './people/organizations';
import type { PasskeyRow } from './factors/passkeys';
import {
  secondFactorAt,
  secondFactorsOf,
  type Challenge,
  type Flow,
  type SessionRow,
  type SignedIn,
  type UserRow,
  type Visitor,
} from './store';

const ms = (time: Date): number => time.getTime();

const strategies = (names: readonly string[]) => names.map((strategy) => ({ strategy }));
/** `expiresAt`: when a mailed code expires, Unix milliseconds. */
const unverified = (strategy: string, expiresAt: number | null = null) => ({
  object: 'verification',
  status: 'unverified',
  strategy,
  attempts: 0,
  expire_at: expiresAt,
});
const verified = (strategy: string) => ({ object: 'verification', status: 'verified', strategy });

/** The strategy of a new password by mail. */
export const RESET = 'reset_password_email_code';
/** The way to a new password. It shows only what was typed: not whether an account exists, nor its address. */
const resetFactor = (identifier: string) => ({
  strategy: RESET,
  email_address_id: 'idn_reset',
  safe_identifier: identifier.includes('@') ? identifier : '',
  primary: true,
});

const passkeyAsked = ({ nonce, expiresAt }: Challenge) => ({ ...unverified('passkey', expiresAt), nonce });

function firstFactor({ status, mailed, strategy, passkey }: Extract<Flow, { kind: 'sign_in' }>) {
  if (strategy) return passkey ? passkeyAsked(passkey) : verified(strategy);
  if (status === 'needs_new_password') return verified(RESET);
  if (status !== 'needs_first_factor') return verified('password');
  return mailed ? unverified(RESET, mailed.expiresAt) : null;
}

export const signInJson = (flow: Extract<Flow, { kind: 'sign_in' }>) => ({
  object: 'sign_in',
  id: flow.id,
  status: flow.status,
  identifier: flow.identifier,
  supported_identifiers: ['username', 'email_address'],
  supported_first_factors: flow.strategy
    ? strategies([flow.strategy])
    : [{ strategy: 'password' }, ...(flow.canReset ? [resetFactor(flow.identifier)] : [])],
  supported_second_factors: flow.secondFactors ? strategies(flow.secondFactors) : null,
  first_factor_verification: firstFactor(flow),
  second_factor_verification: null,
  // Reveals nothing before the password is right, not even that the account exists.
  user_data: null,
  created_session_id: flow.sessionId ?? null,
});

export const signUpJson = (flow: Extract<Flow, { kind: 'sign_up' }>) => ({
  object: 'sign_up',
  id: flow.id,
  status: flow.status,
  required_fields: ['username', 'email_address', 'password'],
  optional_fields: ['first_name', 'last_name'],
  missing_fields:
    flow.status === 'complete' || flow.toConfirm
      ? []
      : [...(flow.userName ? [] : ['username']), ...(flow.email ? [] : ['email_address']), 'password'],
  unverified_fields: flow.toConfirm ? ['email_address'] : [],
  verifications: {
    email_address: flow.toConfirm
      ? {
          ...unverified('email_code', flow.toConfirm.mailed?.expiresAt),
          next_action: flow.toConfirm.mailed ? 'needs_attempt' : 'needs_prepare',
          supported_strategies: ['email_code'],
        }
      : null,
  },
  username: flow.userName,
  email_address: flow.email,
  first_name: flow.names?.firstName ?? null,
  last_name: flow.names?.lastName ?? null,
  has_password: flow.status === 'complete' || flow.toConfirm !== undefined,
  unsafe_metadata: {},
  created_session_id: flow.sessionId ?? null,
  created_user_id: flow.userId ?? null,
});

const emailJsonOf = (id: string, address: string | null) => ({
  object: 'email_address',
  id,
  email_address: address,
  linked_to: [],
  matches_sso_connection: false,
});
/** An address that was never confirmed is accepted where the pool sends no mail; it gets no codes. */
export const emailJson = (user: UserRow) => ({
  ...emailJsonOf(`idn_${user.id.slice(5)}`, user.email),
  verification: user.emailVerifiedAt ? verified('email_code') : unverified('email_code'),
});

/** Id of an address that is to take the place of the account's. */
export const NEW_EMAIL_ID = 'idn_new';
export const newEmailJson = (address: string) => ({
  ...emailJsonOf(NEW_EMAIL_ID, address),
  verification: unverified('email_code'),
});

/** Another picture has another address. Null: none. */
export const pictureUrl = ({ picture }: UserRow): string | null =>
  picture && `/__clerk/v1/me/profile_image?v=${picture}`;

export type Own = { passkeys: readonly PasskeyRow[]; memberships: readonly Membership[] };

export const userJson = (user: UserRow, { passkeys, memberships }: Own, lastSignInAt: Date) => ({
  object: 'user',
  id: user.id,
  username: user.userName,
  first_name: user.firstName,
  last_name: user.lastName,
  email_addresses: user.email ? [emailJson(user)] : [],
  primary_email_address_id: user.email ? `idn_${user.id.slice(5)}` : null,
  passkeys: passkeys.map((row) => passkeyJson(row)),
  organization_memberships: memberships.map(membershipJson),
  image_url: pictureUrl(user) ?? '',
  has_image: user.picture !== null,
  password_enabled: true,
  totp_enabled: user.totpSince !== null,
  backup_code_enabled: secondFactorsOf(user).includes('backup_code'),
  two_factor_enabled: user.totpSince !== null,
  public_metadata: {},
  unsafe_metadata: {},
  create_organization_enabled: false,
  last_sign_in_at: ms(lastSignInAt),
  ...times(user),
});

const sessionOf = ({ id, status, expiresAt, lastActiveAt }: SessionRow) => ({
  ...{ object: 'session', id, status, expire_at: ms(expiresAt), abandon_at: ms(expiresAt) },
  last_active_at: ms(lastActiveAt),
});

/** `token`: a new one of the session. `active`: the organization that it acts in. */
export type Shown = Own & { token: string; active: Membership | null };

export const sessionJson = (visitor: SignedIn, { token, active, ...own }: Shown) => {
  const { session, user } = visitor;
  return {
    ...sessionOf(session),
    factor_verification_age: factorAges(session.signedInAt, secondFactorAt(visitor)),
    last_active_organization_id: active?.organization.id ?? null,
    last_active_token: { object: 'token', jwt: token },
    user: userJson(user, own, session.signedInAt),
    public_user_data: publicUser(user.id, user),
    ...times({ createdAt: session.signedInAt, updatedAt: session.lastActiveAt }),
  };
};

export function clientJson(visitor: Visitor, shown: Shown | null) {
  const flow = visitor.client.flow as Flow | null;
  return {
    object: 'client',
    id: visitor.client.id,
    sessions: visitor.session && shown ? [sessionJson(visitor, shown)] : [],
    sign_in: flow?.kind === 'sign_in' ? signInJson(flow) : null,
    sign_up: flow?.kind === 'sign_up' ? signUpJson(flow) : null,
    last_active_session_id: visitor.session?.id ?? null,
    ...times(visitor.client),
  };
}

/** A session in the user's list of devices. */
export const deviceJson = (session: SessionRow) => ({
  ...sessionOf(session),
  latest_activity: {
    object: 'session_activity',
    id: session.id,
    ip_address: session.ip,
    ...deviceOf(session.userAgent),
  },
});

export type VerificationState = {
  status: 'needs_first_factor' | 'needs_second_factor' | 'complete';
  /** The user has passkeys, and they are possible at this address. */
  offered: boolean;
  /** What a passkey is asked. */
  asked?: Challenge;
};
/** Entering the password again, and the code when two-step sign-in is on; or a passkey instead of both. */
export const verificationJson = (visitor: SignedIn, shown: Shown, { status, offered, asked }: VerificationState) => ({
  object: 'session_verification',
  id: visitor.session.id,
  status,
  level: visitor.user.totpSince ? 'multi_factor' : 'first_factor',
  session: sessionJson(visitor, shown),
  supported_first_factors: strategies(offered ? ['password', 'passkey'] : ['password']),
  supported_second_factors: strategies(secondFactorsOf(visitor.user)),
  first_factor_verification: asked
    ? passkeyAsked(asked)
    : status === 'needs_first_factor'
      ? null
      : verified('password'),
  second_factor_verification: null,
});

/** `asked`: what the browser is asked to make it of. */
export const passkeyJson = (
  row: Pick<PasskeyRow, 'id' | 'name' | 'lastUsedAt' | 'createdAt' | 'updatedAt'>,
  asked?: Challenge,
) => ({
  object: 'passkey',
  id: row.id,
  name: row.name,
  verification: asked ? passkeyAsked(asked) : verified('passkey'),
  last_used_at: row.lastUsedAt && ms(row.lastUsedAt),
  ...times(row),
});

const lately = ({ updatedAt }: UserRow) => times({ createdAt: updatedAt, updatedAt });

/** An authenticator app. `found`: what is shown once, when it is added. */
export const totpJson = (user: UserRow, found: { secret?: string; uri?: string; backup_codes?: string[] }) => ({
  object: 'totp',
  id: `totp_${user.id.slice(5)}`,
  ...found,
  verified: user.totpSince !== null,
  ...lately(user),
});

export const backupCodesJson = (user: UserRow, codes: string[]) => ({
  object: 'backup_code',
  id: `backup_${user.id.slice(5)}`,
  codes,
  ...lately(user),
});
