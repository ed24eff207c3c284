/** What clerk-js is told about this installation; of all else it has defaults. */
import type { PublicConfig } from '@pool/shared/config';
import { MIN_SCORE, PASSWORD_MAX, PASSWORD_MIN } from './factors/passwords';
import type { SecondFactor } from './store';

const attribute = (enabled = false, required = false, used_for_first_factor = false) => ({
  enabled,
  required,
  used_for_first_factor,
  first_factors: [],
  verifications: [],
  verify_at_sign_up: false,
  used_for_second_factor: false,
  second_factors: [] as SecondFactor[],
});
const secondFactor = (name: SecondFactor) => ({
  ...attribute(true),
  used_for_second_factor: true,
  second_factors: [name],
});

export type IdentityUrls = Pick<
  PublicConfig['identity'],
  'signInUrl' | 'signUpUrl' | 'afterSignInUrl' | 'afterSignUpUrl'
>;
/** `sendsMail`: an address is confirmed at the sign-up. `passkeys`: they are possible at the address of the page. */
export type Installation = {
  applicationName: string;
  supportEmail: string;
  urls: IdentityUrls;
  sendsMail: boolean;
  passkeys: boolean;
};

/** This installation's sign-up fields and page addresses. */
export const environmentJson = ({ applicationName, supportEmail, urls, sendsMail, passkeys }: Installation) => ({
  object: 'environment',
  id: 'env_pool',
  auth_config: { object: 'auth_config', id: 'aconf_pool', single_session_mode: true, reverification: true },
  display_config: {
    object: 'display_config',
    id: 'display_config_pool',
    instance_environment_type: 'production',
    application_name: applicationName,
    support_email: supportEmail,
    home_url: '/',
    sign_in_url: urls.signInUrl,
    sign_up_url: urls.signUpUrl,
    user_profile_url: '/account',
    after_sign_in_url: urls.afterSignInUrl,
    after_sign_up_url: urls.afterSignUpUrl,
    after_sign_out_all_url: '/',
    after_sign_out_one_url: '/',
    after_switch_session_url: '/',
  },
  user_settings: {
    attributes: {
      username: attribute(true, true, true),
      email_address: {
        ...attribute(true, true, true),
        verifications: sendsMail ? ['email_code'] : [],
        verify_at_sign_up: sendsMail,
      },
      password: attribute(true, true),
      first_name: attribute(true),
      last_name: attribute(true),
      phone_number: attribute(),
      web3_wallet: attribute(),
      authenticator_app: secondFactor('totp'),
      backup_code: secondFactor('backup_code'),
      passkey: attribute(passkeys, false, passkeys),
    },
    actions: { delete_self: false, create_organization: false },
    social: {},
    saml: { enabled: false },
    enterprise_sso: { enabled: false },
    sign_in: { second_factor: { required: false, enabled: true } },
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
    },
    // Offered by autofill, a sign-in would begin for everybody who sees the form, beside the one they type.
    passkey_settings: { allow_autofill: false, show_sign_in_button: passkeys },
    username_settings: { min_length: 3, max_length: 32 },
  },
  organization_settings: {
    // Changed by the pool's own calls; a session acts in one all the same.
    enabled: false,
    max_allowed_memberships: 0,
    actions: { admin_delete: false },
    domains: { enabled: false },
    slug: { disabled: true },
    organization_creation_defaults: { enabled: false },
  },
  commerce_settings: {
    billing: {
      organization: { enabled: false, has_paid_plans: false },
      user: { enabled: false, has_paid_plans: false },
    },
  },
  api_keys_settings: { enabled: false },
  partitioned_cookies: false,
});
