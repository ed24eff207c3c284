/**
 * The calls of Clerk's Frontend API that the installed clerk-js can make, read from its own files: each is answered here,
 * or what makes it is switched off in the environment that clerk-js is told.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../platform/db/database';
import { testDatabase } from '../platform/db/testing/test-database';
import type { environmentJson } from './environment';
import { Browser, startService } from './testing/identity';

const DIST = join(dirname(createRequire(import.meta.url).resolve('@clerk/clerk-js/package.json')), 'dist');
const PATTERNS: [pattern: RegExp, name: (found: string) => string][] = [
  [/\bpath:(?:[\w.]+\.path\()?["`](\/[^"`]+)["`]/g, (path) => path],
  [/pathRoot=["`](\/[^"`]+)["`]/g, (path) => path],
  // Below a resource of its own: `this.path() + "/verify"`, `action: "end"`.
  [/this\.path\(\)(?:\}|\+")(\/\w+)/g, (path) => `…${path}`],
  [/_base\w+\(\{[^;]{0,200}?\baction:"(\w+)"/g, (action) => `…/${action}`],
];

/** Paths as clerk-js writes them; `:id` for what it fills in. */
function pathsOfClerk(): string[] {
  const files = readdirSync(DIST).filter((name) => /^clerk\.browser\.js$|_clerk\.browser_.*\.js$/.test(name));
  const text = files.map((name) => readFileSync(join(DIST, name), 'utf8')).join('\n');
  const found = PATTERNS.flatMap(([pattern, name]) =>
    [...text.matchAll(pattern)].map((match) => name((match[1] ?? '').replaceAll(/\$\{[^}]*\}/g, ':id'))),
  );
  return [...new Set(found)].sort();
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const SIGN_IN = '/client/sign_ins/:id';
const SIGN_UP = '/client/sign_ups/:id';
const SESSION = '/client/sessions/:session';
const EMAIL = '/me/email_addresses/:id';
const ORGANIZATION = '/organizations/:id';
/** What is asked for at each path, as it is registered here. */
const ANSWERED: Record<string, [Method, string][]> = {
  '/client': [
    ['GET', '/client'],
    ['DELETE', '/client'],
  ],
  '/client/sessions': [['GET', SESSION]],
  '…/sessions': [['DELETE', '/client/sessions']],
  '/client/sessions/:id/verify': [['POST', `${SESSION}/verify`]],
  '/client/sessions/:id/verify/attempt_first_factor': [['POST', `${SESSION}/verify/attempt_first_factor`]],
  '/client/sessions/:id/verify/prepare_first_factor': [['POST', `${SESSION}/verify/prepare_first_factor`]],
  '/client/sessions/:id/verify/attempt_second_factor': [['POST', `${SESSION}/verify/attempt_second_factor`]],
  '…/end': [['POST', `${SESSION}/end`]],
  '…/remove': [['POST', `${SESSION}/remove`]],
  '…/touch': [['POST', `${SESSION}/touch`]],
  '…/tokens': [['POST', `${SESSION}/tokens`]],
  '/client/sign_ins': [
    ['POST', '/client/sign_ins'],
    ['GET', SIGN_IN],
  ],
  '…/prepare_first_factor': [['POST', `${SIGN_IN}/prepare_first_factor`]],
  '…/attempt_first_factor': [['POST', `${SIGN_IN}/attempt_first_factor`]],
  '…/attempt_second_factor': [['POST', `${SIGN_IN}/attempt_second_factor`]],
  '…/reset_password': [['POST', `${SIGN_IN}/reset_password`]],
  '/client/sign_ups': [
    ['POST', '/client/sign_ups'],
    ['GET', SIGN_UP],
    ['PATCH', SIGN_UP],
  ],
  '…/prepare_verification': [
    ['POST', `${SIGN_UP}/prepare_verification`],
    ['POST', `${EMAIL}/prepare_verification`],
  ],
  '…/attempt_verification': [
    ['POST', `${SIGN_UP}/attempt_verification`],
    ['POST', `${EMAIL}/attempt_verification`],
  ],
  '/environment': [['GET', '/environment']],
  '/me': [
    ['GET', '/me'],
    ['PATCH', '/me'],
  ],
  '…/email_addresses': [['POST', '/me/email_addresses']],
  '…/change_password': [['POST', '/me/change_password']],
  '…/backup_codes': [['POST', '/me/backup_codes/']],
  '…/profile_image': [
    ['POST', '/me/profile_image'],
    ['DELETE', '/me/profile_image'],
  ],
  '/me/totp': [
    ['POST', '/me/totp'],
    ['DELETE', '/me/totp'],
  ],
  '/me/totp/attempt_verification': [['POST', '/me/totp/attempt_verification']],
  '/me/passkeys': [
    ['POST', '/me/passkeys'],
    ['PATCH', '/me/passkeys/:id'],
    ['DELETE', '/me/passkeys/:id'],
  ],
  '/me/passkeys/:id/attempt_verification': [['POST', '/me/passkeys/:id/attempt_verification']],
  '/me/sessions/active': [['GET', '/me/sessions/active']],
  '…/revoke': [['POST', '/me/sessions/:id/revoke']],
  '/organizations': [
    ['POST', '/organizations'],
    ['PATCH', ORGANIZATION],
    ['DELETE', ORGANIZATION],
  ],
  '/organizations/:id': [['GET', ORGANIZATION]],
  '/organizations/:id/logo': [['DELETE', `${ORGANIZATION}/logo`]],
  '/organizations/:id/roles': [['GET', `${ORGANIZATION}/roles`]],
  '/organizations/:id/membership_requests': [['GET', `${ORGANIZATION}/membership_requests`]],
  '/organizations/:id/memberships': [
    ['GET', `${ORGANIZATION}/memberships`],
    ['POST', `${ORGANIZATION}/memberships`],
  ],
  '/organizations/:id/memberships/:id': [
    ['PATCH', `${ORGANIZATION}/memberships/:user`],
    ['DELETE', `${ORGANIZATION}/memberships/:user`],
  ],
  '/organizations/:id/invitations': [
    ['GET', `${ORGANIZATION}/invitations`],
    ['POST', `${ORGANIZATION}/invitations`],
  ],
  '/organizations/:id/invitations/bulk': [['POST', `${ORGANIZATION}/invitations/bulk`]],
  '/organizations/:id/invitations/:id/revoke': [['POST', `${ORGANIZATION}/invitations/:invitation/revoke`]],
  '/me/organization_memberships': [['GET', '/me/organization_memberships']],
  '…/organization_memberships': [['DELETE', '/me/organization_memberships/:id']],
  '/me/organization_invitations': [['GET', '/me/organization_invitations']],
  '/me/organization_invitations/:id/accept': [['POST', '/me/organization_invitations/:id/accept']],
  '/me/organization_suggestions': [['GET', '/me/organization_suggestions']],
};

type Environment = ReturnType<typeof environmentJson>;
type Attribute = keyof Environment['user_settings']['attributes'];
const without =
  (...names: Attribute[]) =>
  ({ user_settings: { attributes } }: Environment): boolean =>
    names.every((name) => !attributes[name].enabled);
const noOtherLogins = ({ user_settings: { social, saml, enterprise_sso: sso } }: Environment): boolean =>
  Object.keys(social).length === 0 && !saml.enabled && !sso.enabled;
/** Codes that are sent as a second step. The app needs none. */
const noSentFactors = (environment: Environment): boolean =>
  without('phone_number')(environment) &&
  environment.user_settings.attributes.email_address.second_factors.length === 0;

/** What is not asked for here, by what clerk-js is told. */
const OFF: [paths: RegExp, why: string, isOff: (environment: Environment) => boolean][] = [
  [
    /\/domains\b|suggestions\/:id|membership_requests\/:id/,
    'no domains',
    (e) => !e.organization_settings.domains.enabled,
  ],
  [
    /organization_creation_defaults/,
    'no defaults of a new organization',
    (e) => !e.organization_settings.organization_creation_defaults.enabled,
  ],
  [
    /^\/(checkouts|payers|payment_\w+|statements|subscription|subscription_items)\b/,
    'nothing is sold to users',
    ({ commerce_settings: { billing } }) => !billing.user.enabled && !billing.organization.enabled,
  ],
  [/^\/api_keys\b/, 'the pool has API keys of its own', (e) => !e.api_keys_settings.enabled],
  [/_accounts$|^…\/reauthorize$|enterprise_connections$/, 'no sign-in by other services', noOtherLogins],
  [/^…\/phone_numbers$/, 'no phone numbers', without('phone_number')],
  [/^…\/web3_wallets$/, 'no sign-in by wallets', without('web3_wallet')],
  [/^\/waitlist$/, 'anybody may sign up', (e) => e.user_settings.sign_up.mode === 'public'],
  [/^…\/remove_password$/, 'everybody has a password', (e) => e.user_settings.attributes.password.required],
  [/^…\/verify$/, 'no captcha', (e) => !e.user_settings.sign_up.captcha_enabled],
  [/\/verify\/prepare_second_factor$|^…\/prepare_second_factor$/, 'no codes are sent', noSentFactors],
  [/^\/dev_/, 'no development instance', (e) => e.display_config.instance_environment_type === 'production'],
  [/^\/client\/touch$/, 'cookies are of the same origin', (e) => !e.partitioned_cookies],
];

let database: Database;
let app: FastifyInstance;
beforeAll(async () => {
  database = await testDatabase();
  ({ app } = await startService(database.pool));
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const paths = pathsOfClerk();

it('every path of clerk-js is answered or switched off, and none of both lists is gone from it', () => {
  const off = (path: string): boolean => OFF.some(([pattern]) => pattern.test(path));
  expect(paths.filter((path) => !(path in ANSWERED) && !off(path))).toEqual([]);
  expect(Object.keys(ANSWERED).filter((path) => !paths.includes(path) || off(path))).toEqual([]);
  expect(OFF.filter(([pattern]) => !paths.some((path) => pattern.test(path))).map(([, why]) => why)).toEqual([]);
});

it.each(Object.values(ANSWERED).flat())('%s %s is answered', async (method, path) => {
  const browser = new Browser(app);
  // A flow has to be there to go on with; the rest is asked for signed out.
  const flow = /^\/client\/(sign_ins|sign_ups)(?=\/:id)/.exec(path)?.[0];
  const begun = flow && (await browser.ask('POST', flow, { identifier: 'anna', username: 'anna' }));
  const id = begun ? String(begun.body.response?.id) : 'none';
  const { status } = await browser.ask(method, path.replaceAll(/:\w+/g, id), method === 'GET' ? undefined : {});
  expect([200, 401, 415, 422]).toContain(status);
});

it('what is not answered is switched off for clerk-js', async () => {
  const environment = (await new Browser(app).ask('GET', '/environment')).body as unknown as Environment;
  expect(OFF.filter(([, , isOff]) => !isOff(environment)).map(([, why]) => why)).toEqual([]);
});
