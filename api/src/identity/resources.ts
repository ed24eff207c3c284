/** Builds the objects clerk-js reads, in the wire shapes of `@clerk/types` (`*JSON`). Times are Unix milliseconds. */
import { deviceOf } from './device';
import { MIN_SCORE, PASSWORD_MAX, PASSWORD_MIN } from './passwords';
import type { Flow, SessionRow, SignedIn, UserRow, Visitor } from './store';

const ms = (time: Date): number => time.getTime();

export const signInJson = (flow: Extract<Flow, { kind: 'sign_in' }>) => ({
  object: 'sign_in',
  id: flow.id,
  status: flow.status,
  identifier: flow.identifier,
  supported_identifiers: ['username', 'email_address'],
  supported_first_factors: [{ strategy: 'password' }],
  supported_second_factors: null,
  first_factor_verification:
    flow.status === 'complete'
      ? { object: 'verification', status: 'verified', strategy: 'password', attempts: null, expire_at: null }
      : null,
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
    flow.status === 'complete'
      ? []
      : [...(flow.userName ? [] : ['username']), ...(flow.email ? [] : ['email_address']), 'password'],
  unverified_fields: [],
  verifications: { email_address: null, phone_number: null, web3_wallet: null, external_account: null },
  username: flow.userName,
  email_address: flow.email,
  first_name: null,
  last_name: null,
  phone_number: null,
  web3_wallet: null,
  external_account: null,
  external_account_strategy: null,
  has_password: flow.status === 'complete',
  unsafe_metadata: {},
  locale: null,
  created_session_id: flow.sessionId ?? null,
  created_user_id: flow.userId ?? null,
  abandon_at: null,
  legal_accepted_at: null,
});

export const userJson = (user: UserRow, lastSignInAt: Date | null = null) => ({
  object: 'user',
  id: user.id,
  external_id: null,
  username: user.userName,
  first_name: user.firstName,
  last_name: user.lastName,
  email_addresses: user.email
    ? [
        {
          object: 'email_address',
          id: `idn_${user.id.slice(5)}`,
          email_address: user.email,
          linked_to: [],
          matches_sso_connection: false,
          // Without a mail server the address is accepted unverified; nothing in the pool relies on it.
          verification: {
            object: 'verification',
            status: 'verified',
            strategy: 'admin',
            attempts: null,
            expire_at: null,
          },
        },
      ]
    : [],
  primary_email_address_id: user.email ? `idn_${user.id.slice(5)}` : null,
  primary_phone_number_id: null,
  primary_web3_wallet_id: null,
  phone_numbers: [],
  web3_wallets: [],
  external_accounts: [],
  enterprise_accounts: [],
  saml_accounts: [],
  passkeys: [],
  organization_memberships: [],
  image_url: '',
  has_image: false,
  profile_image_id: '',
  password_enabled: true,
  totp_enabled: false,
  backup_code_enabled: false,
  two_factor_enabled: false,
  public_metadata: {},
  unsafe_metadata: {},
  create_organization_enabled: false,
  create_organizations_limit: null,
  delete_self_enabled: false,
  last_sign_in_at: lastSignInAt ? ms(lastSignInAt) : null,
  legal_accepted_at: null,
  created_at: ms(user.createdAt),
  updated_at: ms(user.updatedAt),
});

const minutesSince = (time: Date): number => Math.max(0, Math.floor((Date.now() - time.getTime()) / 60_000));

export const sessionJson = ({ session, user }: SignedIn, token: string) => ({
  object: 'session',
  id: session.id,
  status: session.status,
  factor_verification_age: [minutesSince(session.signedInAt), -1],
  expire_at: ms(session.expiresAt),
  abandon_at: ms(session.expiresAt),
  last_active_at: ms(session.lastActiveAt),
  last_active_organization_id: null,
  actor: null,
  tasks: null,
  last_active_token: { object: 'token', jwt: token },
  user: userJson(user, session.signedInAt),
  public_user_data: {
    user_id: user.id,
    username: user.userName,
    first_name: user.firstName,
    last_name: user.lastName,
    image_url: '',
    has_image: false,
    identifier: user.email ?? user.userName,
  },
  created_at: ms(session.signedInAt),
  updated_at: ms(session.lastActiveAt),
});

/** `token`: a new session token when the visitor is signed in. */
export function clientJson(visitor: Visitor, token: string | null) {
  const flow = visitor.client.flow as Flow | null;
  return {
    object: 'client',
    id: visitor.client.id,
    sessions: visitor.session && token ? [sessionJson(visitor, token)] : [],
    sign_in: flow?.kind === 'sign_in' ? signInJson(flow) : null,
    sign_up: flow?.kind === 'sign_up' ? signUpJson(flow) : null,
    last_active_session_id: visitor.session?.id ?? null,
    last_authentication_strategy: null,
    captcha_bypass: false,
    cookie_expires_at: null,
    created_at: ms(visitor.client.createdAt),
    updated_at: ms(visitor.client.updatedAt),
  };
}

/** A session in the user's list of devices. */
export const deviceJson = (session: SessionRow) => ({
  object: 'session',
  id: session.id,
  status: session.status,
  expire_at: ms(session.expiresAt),
  abandon_at: ms(session.expiresAt),
  last_active_at: ms(session.lastActiveAt),
  last_active_organization_id: null,
  actor: null,
  user: null,
  latest_activity: {
    object: 'session_activity',
    id: session.id,
    ip_address: session.ip,
    city: null,
    country: null,
    ...deviceOf(session.userAgent),
  },
});

export const verificationJson = (visitor: SignedIn, token: string, status: 'needs_first_factor' | 'complete') => ({
  object: 'session_verification',
  id: visitor.session.id,
  status,
  level: 'first_factor',
  session: sessionJson(visitor, token),
  supported_first_factors: [{ strategy: 'password' }],
  supported_second_factors: null,
  first_factor_verification:
    status === 'complete'
      ? { object: 'verification', status: 'verified', strategy: 'password', attempts: null, expire_at: null }
      : null,
  second_factor_verification: null,
});

const attribute = (enabled = false, required = false, used_for_first_factor = false) => ({
  enabled,
  required,
  used_for_first_factor,
  first_factors: [],
  verifications: [],
  verify_at_sign_up: false,
  used_for_second_factor: false,
  second_factors: [],
});

/** This installation's sign-up fields and page addresses. */
export const environmentJson = (options: { applicationName: string; supportEmail: string }) => ({
  object: 'environment',
  id: 'env_pool',
  auth_config: {
    object: 'auth_config',
    id: 'aconf_pool',
    single_session_mode: true,
    claimed_at: null,
    reverification: true,
    session_minter: false,
  },
  display_config: {
    object: 'display_config',
    id: 'display_config_pool',
    instance_environment_type: 'production',
    application_name: options.applicationName,
    support_email: options.supportEmail,
    home_url: '/',
    sign_in_url: '/sign-in',
    sign_up_url: '/sign-up',
    user_profile_url: '/account',
    waitlist_url: '',
    after_sign_in_url: '/dashboard/',
    after_sign_up_url: '/dashboard/',
    after_sign_out_all_url: '/',
    after_sign_out_one_url: '/',
    after_switch_session_url: '/',
    after_join_waitlist_url: '',
    organization_profile_url: '',
    create_organization_url: '',
    after_leave_organization_url: '',
    after_create_organization_url: '',
    logo_image_url: '',
    favicon_image_url: '',
    terms_url: '',
    privacy_policy_url: '',
    preferred_sign_in_strategy: 'password',
    branded: false,
    show_devmode_warning: false,
    captcha_public_key: null,
    captcha_public_key_invisible: null,
    captcha_widget_type: null,
    captcha_provider: 'turnstile',
    captcha_oauth_bypass: [],
    captcha_heartbeat: false,
  },
  user_settings: {
    attributes: {
      username: attribute(true, true, true),
      email_address: attribute(true, true, true),
      password: attribute(true, true),
      first_name: attribute(true),
      last_name: attribute(true),
      phone_number: attribute(),
      web3_wallet: attribute(),
      authenticator_app: attribute(),
      backup_code: attribute(),
      passkey: attribute(),
    },
    actions: { delete_self: false, create_organization: false },
    social: {},
    saml: { enabled: false },
    enterprise_sso: { enabled: false },
    sign_in: { second_factor: { required: false, enabled: false } },
    sign_up: {
      allowlist_only: false,
      progressive: true,
      captcha_enabled: false,
      mode: 'public',
      legal_consent_enabled: false,
    },
    password_settings: {
      min_length: PASSWORD_MIN,
      max_length: PASSWORD_MAX,
      disable_hibp: true,
      // The form judges with the same lists while somebody types: what it calls good is not refused a moment later.
      show_zxcvbn: true,
      min_zxcvbn_strength: MIN_SCORE,
      allowed_special_characters: '',
      require_special_char: false,
      require_numbers: false,
      require_uppercase: false,
      require_lowercase: false,
    },
    passkey_settings: { allow_autofill: false, show_sign_in_button: false },
    username_settings: { min_length: 3, max_length: 32 },
  },
  organization_settings: {
    enabled: false,
    max_allowed_memberships: 0,
    force_organization_selection: false,
    actions: { admin_delete: false },
    domains: { enabled: false, enrollment_modes: [], default_role: null },
    slug: { disabled: true },
    organization_creation_defaults: { enabled: false },
  },
  commerce_settings: {
    billing: {
      stripe_publishable_key: null,
      organization: { enabled: false, has_paid_plans: false },
      user: { enabled: false, has_paid_plans: false },
    },
  },
  api_keys_settings: { enabled: false },
  maintenance_mode: false,
  client_debug_mode: false,
  partitioned_cookies: false,
});
