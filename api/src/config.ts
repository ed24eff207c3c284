/** Environment variables, read once at the start. README.md or docs/operations.md says what each is for. */
import { dirname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import {
  ALGORITHM_NAMES,
  ALGORITHMS,
  DEFAULT_FEE_PERCENT,
  type AlgorithmName,
  type AlgorithmSetting,
} from '@pool/shared/domain';
import { LOG_LEVELS } from './log';
import { remoteKeys } from './remotes/release';
import { areKeys } from './secrets';
import { SYNC_MS } from './shares/journal/group-sync';
import { isAllowEntry } from './stratum/upstream/outbound';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

const port = z.coerce.number().int().min(0).max(65_535);
const flag = z.enum(['0', '1']).transform((value) => value === '1');
const fromRoot = (path: string): string => (isAbsolute(path) ? path : resolve(ROOT, path));
const folder = (fallback: string) => z.string().min(1).default(fallback).transform(fromRoot);
const file = z.string().min(1).transform(fromRoot);
const path = z.string().regex(/^\/[\w-]+(\/[\w-]+)*\/?$/, 'expected a path of the pool: /sign-in');
/** Comma separated; by default none. */
const list = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((item) => item.trim() || []));
/** Addresses and networks: `127.0.0.1, 10.0.0.0/8`. */
const addresses = list.pipe(
  z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'expected addresses, comma separated')),
);
const upstream = z
  .string()
  .regex(
    /^stratum\+(tcp|ssl):\/\/\S+:\d{1,5}$/,
    'expected stratum+tcp://[user[:password]@]host:port or stratum+ssl://…',
  );

/** Name of a variable that exists for each algorithm: `STRATUM_PORT_SHA256`. */
export const settingOf = <P extends string>(prefix: P, algorithm: AlgorithmName): `${P}_${AlgorithmSetting}` =>
  `${prefix}_${ALGORITHMS[algorithm].setting}`;
const forEachAlgorithm = <P extends string, S extends z.ZodType>(prefix: P, schema: (algorithm: AlgorithmName) => S) =>
  Object.fromEntries(ALGORITHM_NAMES.map((algorithm) => [settingOf(prefix, algorithm), schema(algorithm)])) as Record<
    `${P}_${AlgorithmSetting}`,
    S
  >;

/** What a process does of a pool's work (ADR 28). */
export const ROLES = ['web', 'stratum', 'worker'] as const;
export type Role = (typeof ROLES)[number];

const environment = z
  .object({
    /** Parts of the pool that this process runs beside others on its PostgreSQL; left out: all of it, alone. */
    ROLES: list.pipe(z.array(z.enum(ROLES, 'expected web, stratum, worker, comma separated'))),
    PORT: port.default(3000),
    HOST: z.string().default('127.0.0.1'),
    /** Host name by which miners and pages reach this machine, when it differs from the one in the request. */
    PUBLIC_HOST: z.string().optional(),
    DATA_DIR: folder('.data'),
    /** Output of the build (shared/src/dist-layout.ts): shell, locales, vendor. */
    DIST_DIR: folder('dist'),
    /** Deployed remotes: `<name>/<version>/` and `<name>/current.json`. */
    REMOTES_DIR: folder('dist/remotes'),
    /** Remotes of the container image, published at the start when the pool never had them. */
    BUNDLED_REMOTES: file.optional(),
    /** Origins besides the pool's own from which pages may load files of remotes. */
    REMOTE_ORIGINS: list.refine(
      (items) => items.every((item) => URL.parse(item)?.origin === item),
      'expected origins: https://cdn.example',
    ),
    /** Public keys of the teams, by remote; without it versions need no signature. */
    REMOTE_KEYS: z
      .string()
      .default('')
      .transform((list, context) => {
        try {
          return remoteKeys(list);
        } catch {
          context.addIssue('expected remotes with their public Ed25519 keys: workers=MCow…, map=MCow…; * for all');
          return z.NEVER;
        }
      }),
    /** Shares are counted each so many seconds, in one transaction: with many machines, more seconds write fewer rows. */
    COUNT_SECONDS: z.coerce.number().int().min(1).max(30).default(5),
    /**
     * A power cut loses shares acknowledged in at most this time. 0: loses none, each response waits for the disk
     * (docs/operations.md).
     */
    JOURNAL_SYNC_MS: z.coerce.number().int().min(0).max(60_000).default(SYNC_MS),
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    /** Lists of pools, accounts, ports and who has event streams are read again after so long, for what nobody told this process. */
    REREAD_SECONDS: z.coerce.number().int().min(1).max(3600).default(60),
    /** PostgreSQL itself, where DATABASE_URL is a pooler of transactions: for what needs a session (db/pooler.ts). */
    DATABASE_DIRECT_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    DATABASE_CONNECTIONS: z.coerce.number().int().min(1).max(200).default(10),
    STRATUM_HOST: z.string().default('0.0.0.0'),
    /** Addresses of balancers before the Stratum ports, whose connections start with a PROXY protocol header. */
    STRATUM_BALANCERS: addresses,
    ...forEachAlgorithm('STRATUM_PORT', (algorithm) => port.default(ALGORITHMS[algorithm].fallbackPort)),
    /**
     * TLS ports for miners. They need the certificate (with its chain) and its key: PEM files, read again when they
     * change or at SIGHUP.
     */
    ...forEachAlgorithm('STRATUM_TLS_PORT', () => port.optional()),
    STRATUM_TLS_CERT: file.optional(),
    STRATUM_TLS_KEY: file.optional(),
    ...forEachAlgorithm('UPSTREAM', () => upstream.optional()),
    /**
     * The server's own IPv4 addresses that connections to upstream pools start from, in turns: each has some 28,000
     * ports. Default: the system chooses one.
     */
    UPSTREAM_SOURCES: list.pipe(z.array(z.ipv4('expected IPv4 addresses, comma separated'))),
    /** `1`: users' upstream pools may have private and loopback addresses. */
    UPSTREAM_ALLOW_PRIVATE: flag.default(false),
    /** Hosts, addresses and CIDR ranges that users' upstream pools may always have; comma separated. */
    UPSTREAM_ALLOW: list.refine(
      (items) => items.every(isAllowEntry),
      'expected host names, addresses and CIDR ranges, comma separated',
    ),
    /**
     * Key for users' upstream passwords: 32 bytes in base64; older keys after it, comma separated. Default: a key file
     * created in DATA_DIR.
     */
    SECRETS_KEY: z
      .string()
      .refine(
        areKeys,
        'expected 32 bytes in base64 (openssl rand -base64 32); several are comma separated, the current one first',
      )
      .optional(),
    /** The same from a file outside of DATA_DIR, or from what a shell command prints; read at the start, never logged. */
    SECRETS_KEY_FILE: file.optional(),
    SECRETS_KEY_COMMAND: z.string().optional(),
    CLERK_PUBLISHABLE_KEY: z
      .string()
      .regex(/^pk_(live|test)_[A-Za-z0-9+/=]+$/, 'a publishable key starts with pk_live_ or pk_test_')
      .optional(),
    /** `1`: admins need two-step sign-in, `0`: nobody does. Default: 1, but 0 with demo data or the hosted sign-in. */
    REQUIRE_TWO_STEP: flag.optional(),
    /** Pages of the sign-in and sign-up, and where they lead: paths of the pool. */
    SIGN_IN_URL: path.default('/sign-in'),
    SIGN_UP_URL: path.default('/sign-up'),
    AFTER_SIGN_IN_URL: path.default('/dashboard/'),
    AFTER_SIGN_UP_URL: path.default('/dashboard/'),
    /** `0`: no demo; `1`: demo accounts and miners. Default: demo on an empty embedded database. */
    DEMO: flag.optional(),
    DEMO_PASSWORD: z.string().min(8).optional(),
    /** Pool fee in percent of the gross, for users without a fee of their own. */
    POOL_FEE_PERCENT: z.coerce.number().min(0).max(100).default(DEFAULT_FEE_PERCENT),
    /** Part of the pool fee that referrers get, percent, and for how many months after the activation of their code. */
    REFERRAL_PERCENT: z.coerce.number().min(0).max(100).default(10),
    REFERRAL_MONTHS: z.coerce.number().int().min(0).max(1200).default(12),
    /** Hours during which nothing is paid after a change of the payout address. */
    WALLET_HOLD_HOURS: z.coerce.number().min(1).max(720).default(72),
    /**
     * Payments that admins approve within so many hours are a run; one above so many BTC is sent only after these
     * hours, and any admin can stop it meanwhile. 0 hours: never.
     */
    PAYOUT_RUN_BTC: z.coerce.number().min(0).max(21_000_000).default(1),
    PAYOUT_WAIT_HOURS: z.coerce.number().min(0).max(720).default(6),
    /** With two pairs of eyes: how long an admin whom another one has made approves, sends and confirms nothing. */
    NEW_ADMIN_HOURS: z.coerce.number().min(0).max(720).default(72),
    /** URL of today's prices (accounting/price-source.ts). Without it admins set prices, or the defaults are used. */
    PRICE_URL: z.url({ protocol: /^https?$/ }).optional(),
    /** Server with mempool's REST API, for the network's difficulty; without it nothing is shown of it. */
    NETWORK_FEED_URL: z.url({ protocol: /^https?$/ }).optional(),
    /** Address of a transaction at the operator's block explorer, with `{txid}`. Without it payouts have no links. */
    EXPLORER_TX_URL: z
      .url({ protocol: /^https?$/ })
      .refine((url) => url.includes('{txid}'), 'expected an address with {txid}: https://explorer.example/tx/{txid}')
      .optional(),
    /** Mail server, `smtp://user:password@host:587`; without it nothing is offered that needs a mail. */
    SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
    /** Sender of the mails: `Pool <mail@pool.example>`. */
    MAIL_FROM: z
      .string()
      .regex(/^([^<>@\r\n]* <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, 'expected Pool <mail@pool.example>')
      .optional(),
    /** Address of the pages. Mails that warn have a link to it; never to the request's host, which a thief may choose. */
    PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
    /** Token of the bot that sends alerts, from @BotFather; without it Telegram is off. */
    TELEGRAM_BOT_TOKEN: z
      .string()
      .regex(/^[\w:-]{3,128}$/, 'expected the token @BotFather gave: 1234567:AAbb…')
      .optional(),
    /** Bot API server, when it is not Telegram's own. */
    TELEGRAM_API_ROOT: z.url({ protocol: /^https?$/ }).default('https://api.telegram.org'),
    /** `0`: pages install no service worker, and browsers that have one remove it. */
    SERVICE_WORKER: flag.default(true),
    /** `0`: pages come without their first view, which the server renders otherwise (docs/adr/0017-server-view.md). */
    FIRST_VIEW: flag.default(true),
    SUPPORT_EMAIL: z.email().default('support@pool.localhost'),
    /** Where vulnerabilities are reported: `mailto:` or `https:` addresses, comma separated; in security.txt. */
    SECURITY_CONTACT: z
      .string()
      .transform((list) => list.split(',').map((item) => item.trim()))
      .refine(
        (list) => list.every((item) => /^(mailto:|https:\/\/)\S+$/.test(item)),
        'expected mailto:… or https://… addresses, comma separated',
      )
      .optional(),
    /** Until when these contacts are right, RFC 9116: a day, at most a year ahead. */
    SECURITY_EXPIRES: z.iso.date().optional(),
    /** API requests per minute of one account, or of one address without a session; a fifth as many pages. */
    RATE_LIMIT: z.coerce.number().int().min(1).default(3000),
    /** Addresses of proxies whose X-Forwarded-For header is trusted, comma separated. */
    TRUSTED_PROXIES: addresses,
    /**
     * Browsers that came over TLS come over TLS only for so long. 0: no longer, before TLS is given up for good.
     */
    HSTS_SECONDS: z.coerce.number().int().min(0).max(63_072_000).default(31_536_000),
    /** Hours between two backups that the server makes and verifies; 0: none. Where, and how many are kept. */
    BACKUP_EVERY: z.coerce.number().min(0).max(720).default(0),
    BACKUP_DIR: file.optional(),
    BACKUP_KEEP: z.coerce.number().int().min(1).default(14),
    /** Bearer token with which other machines may read /metrics. */
    METRICS_TOKEN: z.string().min(16).optional(),
    LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
    /** Where OpenTelemetry traces are sent (OTLP over HTTP), and which part of them; left out: there are none. */
    OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
    OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(0.01),
  })
  .superRefine((config, context) => {
    const hasTlsPort = ALGORITHM_NAMES.some((name) => config[settingOf('STRATUM_TLS_PORT', name)] !== undefined);
    for (const name of ['STRATUM_TLS_CERT', 'STRATUM_TLS_KEY'] as const) {
      if (hasTlsPort && config[name] === undefined)
        context.addIssue({ code: 'custom', path: [name], message: 'a TLS port needs it' });
    }
    if (config.DATABASE_DIRECT_URL && !config.DATABASE_URL)
      context.addIssue({ code: 'custom', path: ['DATABASE_URL'], message: 'DATABASE_DIRECT_URL needs it: the pooler' });
    if (config.BACKUP_EVERY && !config.BACKUP_DIR)
      context.addIssue({ code: 'custom', path: ['BACKUP_DIR'], message: 'BACKUP_EVERY needs it: a folder' });
    if (config.SMTP_URL && !config.MAIL_FROM)
      context.addIssue({ code: 'custom', path: ['MAIL_FROM'], message: 'SMTP_URL needs it: Pool <mail@pool.example>' });
    if (config.SECURITY_CONTACT && !config.SECURITY_EXPIRES)
      context.addIssue({
        code: 'custom',
        path: ['SECURITY_EXPIRES'],
        message: 'SECURITY_CONTACT needs it: YYYY-MM-DD',
      });
    if (config.REQUIRE_TWO_STEP && config.CLERK_PUBLISHABLE_KEY)
      context.addIssue({
        code: 'custom',
        path: ['REQUIRE_TWO_STEP'],
        message: 'with CLERK_PUBLISHABLE_KEY the hosted service requires it',
      });
    const keys = (['SECRETS_KEY', 'SECRETS_KEY_FILE', 'SECRETS_KEY_COMMAND'] as const).filter((name) => config[name]);
    if (config.ROLES.length > 0) {
      const refuse = (name: string, message: string): void =>
        context.addIssue({ code: 'custom', path: [name], message });
      if (!config.DATABASE_URL) refuse('ROLES', 'the embedded database is of one process: set DATABASE_URL too');
      if (keys.length === 0)
        refuse(
          'ROLES',
          'processes that share a database share their key: set SECRETS_KEY, SECRETS_KEY_FILE or _COMMAND',
        );
      if (config.DATABASE_CONNECTIONS < 2) refuse('DATABASE_CONNECTIONS', 'with ROLES at least 2');
      if (config.DEMO) refuse('DEMO', 'the demo is of one process, without ROLES');
    }
    if (keys.length > 1)
      context.addIssue({ code: 'custom', path: [keys[1] ?? ''], message: `${keys.join(' and ')} exclude each other` });
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

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** An empty variable counts as not set. Throws `ConfigError`, which names each invalid variable. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(SETTINGS.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const parsed = environment.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`The environment has values this server cannot use:\n${lines.join('\n')}`);
}
