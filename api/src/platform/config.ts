/** The server's settings, read once from its environment at the start (settings/settings.ts). */
import { z } from 'zod';
import { ALGORITHM_NAMES } from '@pool/shared/domain';
import { ROLES, type Role } from './settings/data';
import { OperatorError } from './operator-error';
import { factsOf } from './settings/kinds';
import { settingOf } from './settings/mining';
import { settings } from './settings/settings';

export { ROLES, type Role } from './settings/data';
export { settingOf } from './settings/mining';

const environment = z.object(settings).superRefine((config, context) => {
  const refuse = (name: string, message: string): void => context.addIssue({ code: 'custom', path: [name], message });
  const hasTlsPort = ALGORITHM_NAMES.some((name) => config[settingOf('STRATUM_TLS_PORT', name)] !== undefined);
  for (const name of ['STRATUM_TLS_CERT', 'STRATUM_TLS_KEY'] as const)
    if (hasTlsPort && config[name] === undefined) refuse(name, 'a TLS port needs it');
  if (config.DATABASE_DIRECT_URL && !config.DATABASE_URL)
    refuse('DATABASE_URL', 'DATABASE_DIRECT_URL needs it: the pooler');
  if (config.BACKUP_EVERY && !config.BACKUP_DIR) refuse('BACKUP_DIR', 'BACKUP_EVERY needs it: a folder');
  if (config.SMTP_URL && !config.MAIL_FROM) refuse('MAIL_FROM', 'SMTP_URL needs it');
  if (config.REQUIRE_TWO_STEP && config.CLERK_PUBLISHABLE_KEY)
    refuse('REQUIRE_TWO_STEP', 'with CLERK_PUBLISHABLE_KEY the hosted service requires it');
  const keys = (['SECRETS_KEY', 'SECRETS_KEY_FILE'] as const).filter((name) => config[name]);
  if (config.ROLES.length > 0) {
    if (!config.DATABASE_URL) refuse('ROLES', 'the embedded database is of one process: set DATABASE_URL too');
    if (keys.length === 0)
      refuse('ROLES', 'processes that share a database share their key: set SECRETS_KEY or SECRETS_KEY_FILE');
    if (config.DATABASE_CONNECTIONS < 2) refuse('DATABASE_CONNECTIONS', 'with ROLES at least 2');
    if (config.DEMO) refuse('DEMO', 'the demo is of one process, without ROLES');
  }
  if (keys.length > 1) refuse(keys[1] ?? '', `${keys.join(' and ')} exclude each other`);
});

export type Config = z.output<typeof environment>;
export const hasRole = ({ ROLES: roles }: Pick<Config, 'ROLES'>, role: Role): boolean =>
  roles.length === 0 || roles.includes(role);
export const rolesOf = (config: Pick<Config, 'ROLES'>): readonly Role[] =>
  ROLES.filter((role) => hasRole(config, role));
export const SETTINGS = Object.keys(environment.shape);

/** The settings for what needs a session of PostgreSQL, and for its own programs. */
export const direct = <C extends Pick<Config, 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>>(config: C): C => ({
  ...config,
  DATABASE_URL: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
  DATABASE_DIRECT_URL: undefined,
});

/** What of it the sign-in service has to know. */
export const identityUrls = (config: Config) => ({
  signInUrl: config.SIGN_IN_URL,
  signUpUrl: config.SIGN_UP_URL,
  afterSignInUrl: config.AFTER_SIGN_IN_URL,
  afterSignUpUrl: config.AFTER_SIGN_UP_URL,
});

export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError';
}

/** An empty variable counts as not set. Throws `ConfigError`, which names each invalid variable. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(SETTINGS.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const parsed = environment.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => {
    const [name = ''] = path.map(String);
    return `  ${name}: ${message}. For example: ${name}=${factsOf(environment.shape[name as keyof typeof settings]).example}`;
  });
  throw new ConfigError(
    `The environment has values this server cannot use (docs/settings.md):\n${[...new Set(lines)].join('\n')}`,
  );
}
