/** Schemas of the API: hashrates in H/s, money in satoshis, times of series in Unix seconds, others in ISO 8601. */
import { z } from 'zod';
import { ACCOUNT_NAME, ALGORITHM_NAMES, ALL_ACCOUNTS, TIMEFRAME_NAMES, WORKER_STATES } from '../domain';

export const algorithm = z.enum(ALGORITHM_NAMES);
export const timeframe = z.enum(TIMEFRAME_NAMES);
export const workerStateName = z.enum(WORKER_STATES);
export const accountName = z.string().regex(ACCOUNT_NAME);
/** A sub-account, or `ALL` that the caller may read together. Only calls that read take it. */
export const accountOrAll = accountName.or(z.literal(ALL_ACCOUNTS));
export const sats = z.int();
/** An integer in a path or query: only decimal digits, no other notation (`0x10`, `1e3`). */
export const whole = (least: number, most: number) =>
  z.preprocess(
    (given) => (typeof given === 'string' && /^\d{1,16}$/.test(given) ? Number(given) : given),
    z
      .int({ error: ({ input }) => (input === undefined ? 'is missing' : 'is not a whole number') })
      .min(least)
      .max(most),
  );
/** An IANA name, as `Intl` knows it. */
export const timeZone = z
  .string()
  .max(64)
  .refine((name) => {
    try {
      return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
    } catch {
      return false;
    }
  }, 'is no time zone');
export const isoTime = z.iso.datetime();
export const unixSeconds = z.int();
/** A day that the database can handle: it has no year 0, and the day after must have a four-digit year. */
export const day = z.iso
  .date()
  .refine((text) => text >= '1970-01-01' && text < '9999-12-31', 'is not a day there is anything to say about');

/** Text on one line, without control, direction or invisible characters, as it may stand in a mail. */
export const LINE = /^[^\p{C}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]+$/u;
const line = (most: number) => z.string().min(1).max(most).regex(LINE, 'has characters that are not shown');
/** A name given by a user. In URLs `.` and `..` are no names. */
export const label = line(64).regex(/^(?! |\.{1,2}$).*(?<! )$/u);
export const organizationName = z.string().trim().pipe(line(100));
/** Data that a watcher link or API key may read. */
export const scope = z.enum(['hashrate', 'workers', 'earnings']);
export type Scope = z.infer<typeof scope>;

export type Problem = {
  type: string;
  title: string;
  status: number;
  detail?: string | undefined;
  /** A stable word the pages translate. */
  code: string;
  requestId?: string | undefined;
  errors?: { path: string; message: string }[] | undefined;
};

export const points = z.array(z.number().nullable());
/** Points in equal steps from `from`. A gap is null, never zero. Without the current, incomplete step. */
export const series = z.object({ from: unixSeconds, step: z.int(), accepted: points, stale: points, rejected: points });

/** `difficulty`: mean of the worker's accepted shares in each step; null without any. */
export const workerSeries = series.extend({ difficulty: points });

/** Relative statistical error of `m5`, only while the worker has mined for less than five minutes. */
export const measuring = z.number().optional();
/** Start of the mining, while less than 24 h ago: longer means divide by the time since then. */
export const minedSince = unixSeconds.optional();
export const hashrates = z.object({
  m5: z.number(),
  m15: z.number(),
  h1: z.number(),
  h24: z.number(),
  measuring,
  minedSince,
});
/** A time of the last 24 h at which the server did not run: means and states leave it out. */
const absence = z.object({ from: unixSeconds, until: unixSeconds });
/** Oldest first; left out when there are none. */
export const absences = z.array(absence).optional();
export type Absence = z.infer<typeof absence>;
/** Sums of share difficulties of the last 24 h, and the number of accepted shares (for the error band). */
const quality = z.object({ accepted: z.number(), stale: z.number(), rejected: z.number(), shares: z.int() });
export const live = z.object({ series, current: hashrates, quality24h: quality, absences, at: unixSeconds });

export const earning = z.object({
  day,
  account: z.string(),
  algorithm,
  meanHashrate: z.number(),
  /** Price used, BTC per PH/s (SHA256) or TH/s (SCRYPT) per day. */
  priceBtc: z.number(),
  grossSat: sats,
  feeSat: sats,
  referralSat: sats,
  netSat: sats,
  btcPriceUsd: z.number(),
  status: z.enum(['estimated', 'final', 'adjusted']),
});

export const PAYMENT_STATUSES = ['pending', 'queued', 'unknown', 'sent', 'confirmed', 'failed', 'cancelled'] as const;
export const payment = z.object({
  id: z.int(),
  account: z.string(),
  subAccountId: z.int(),
  periodFrom: day,
  periodTo: day,
  amountSat: sats,
  networkFeeSat: sats,
  address: z.string().nullable(),
  txid: z.string().nullable(),
  status: z.enum(PAYMENT_STATUSES),
  reason: z.string().nullable(),
  trigger: z.enum(['auto', 'manual', 'referral', 'bonus']),
  createdAt: isoTime,
  /** When it was approved last. */
  queuedAt: isoTime.nullable(),
  sentAt: isoTime.nullable(),
  confirmedAt: isoTime.nullable(),
  usdAtSend: z.number().nullable(),
});

export const subAccount = z.object({
  id: z.int(),
  name: z.string(),
  ports: z.partialRecord(algorithm, z.int()),
  proxyPort: z.int().nullable(),
});

/** A sub-account on the account page. */
export const subAccountFacts = z.object({
  id: z.int(),
  /** Means of the last hour, H/s; algorithms without work are left out. */
  hashrates: z.partialRecord(algorithm, z.number()),
  workersOnline: z.int(),
  workersLow: z.int(),
  /** Online or low ones that have disconnected. */
  workersDisconnected: z.int().optional(),
  /** Number without those that are inactive. */
  workersOffline: z.int(),
  /** Absent for members of an organization who see no money. */
  unpaidSat: sats.optional(),
  btcAddress: z.string().nullable(),
  /** End of the hold after a change of the address. */
  heldUntil: isoTime.nullable(),
  minerPasswordSet: z.boolean(),
  /** What keeps it from being deleted. */
  obstacle: z.enum(['primary_account', 'balance_not_zero', 'workers_active']).nullable(),
});

/** Payout address of a sub-account. During a hold nothing is paid. `oldAddress`: the address before the change; null: all payouts are held. */
export const wallet = z.object({
  btcAddress: z.string().nullable(),
  /** An admin has set the address, and its owner has not confirmed it. */
  setByAdmin: z.literal(true).optional(),
  hold: z.object({ until: isoTime, oldAddress: z.string().nullable() }).optional(),
  /** Newest first. `held` until `effectiveAt`. */
  history: z.array(
    z.object({
      id: z.int(),
      at: isoTime,
      oldAddress: z.string().nullable(),
      newAddress: z.string(),
      effectiveAt: isoTime,
      status: z.enum(['held', 'done', 'cancelled', 'replaced']),
    }),
  ),
});

export const groupPower = z.strictObject({
  usdPerKwh: z.number().min(0).max(10),
  /** Draw with all machines on; null: the sum of their models counts. */
  kilowatts: z.number().min(0.001).max(1_000_000).nullable(),
});
export const workerGroup = z.object({
  id: z.int(),
  name: z.string(),
  subAccountId: z.int(),
  workers: z.int(),
  /** Part (0 to 1) of what its workers made in the last week, below which their owner is told; null: no limit. */
  limit: z.number().nullable().optional(),
  /** Below the limit, and told of. */
  isBelow: z.literal(true).optional(),
  /** Only for who may read payments; null: not given. */
  power: groupPower
    .extend({
      /** Its machines that mined within a day, and what they draw together, kW; null: a model is unknown. */
      machines: z.int(),
      draws: z.number().nullable(),
    })
    .nullable()
    .optional(),
});

/** A watcher link or API key. Only the response of the call that makes it contains the token. */
export const accessToken = z.object({
  id: z.int(),
  name: z.string(),
  prefix: z.string(),
  /** The person of an organization who made it. */
  by: z.string().optional(),
  scopes: z.array(scope),
  createdAt: isoTime,
  expiresAt: isoTime.nullable(),
  lastUsedAt: isoTime.nullable(),
});

export const auditEntry = z.object({
  id: z.int(),
  at: isoTime,
  userName: z.string().nullable(),
  /** The person of an organization who did it. */
  member: z.string().optional(),
  action: z.string(),
  subject: z.string().nullable(),
  /** State before; a change of workers has `workers` (`AuditWorkers`). */
  before: z.unknown(),
  after: z.unknown(),
  ip: z.string().nullable(),
});

export const connection = z.object({
  algorithm,
  host: z.string(),
  port: z.int(),
  tlsPort: z.int().nullable(),
  exampleUser: z.string(),
  dedicated: z.boolean(),
  /** The pool has an upstream for it: without one, miners wait, but those of an account with pools of its own. */
  upstream: z.boolean(),
  /** Whether miners must send the account's miner password; otherwise any password is accepted. */
  passwordSet: z.boolean(),
});

/** Miners send it in a comma-separated list (`d=1024,secret`), so it has no comma and does not start with `d=`. */
export const minerPassword = z.string().regex(/^(?!d=)[\x21-\x2b\x2d-\x3a\x3c-\x7e]{12,64}$/i);

/** Reason of the last change of an upstream's state. */
const UPSTREAM_REASONS = [
  'connected',
  'restored',
  'lost',
  'silent',
  'auth_failed',
  'misbehaves',
  'not_allowed',
  'small_extranonce',
  'closed',
] as const;
/** An upstream pool of the account's failover list, per algorithm, best first. The one in use is `active`. */
export const upstream = z.object({
  algorithm,
  name: z.string(),
  url: z.string(),
  state: z.enum(['active', 'standby', 'down', 'auth_failed', 'unreadable', 'disabled']),
  priority: z.int(),
  of: z.int(),
  latencyMs: z.number().nullable(),
  lastSwitchAt: unixSeconds.nullable(),
  lastSwitchWhy: z.enum(UPSTREAM_REASONS).nullable(),
  /** The account's worker connections that use this upstream. */
  connections: z.int(),
});

export const user = z.object({
  id: z.int(),
  userName: z.string(),
  email: z.string().nullable(),
  role: z.enum(['miner', 'admin']),
  isLegacyUser: z.boolean(),
  createdAt: isoTime,
});

export const notification = z.object({
  id: z.int(),
  kind: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  path: z
    .string()
    .nullable()
    .describe('Page that a click opens, with its query; null: none. Servers before @pool/shared 1.2.0 leave it out'),
  createdAt: isoTime,
  readAt: isoTime.nullable(),
});

export type Series = z.infer<typeof series>;
export type Live = z.infer<typeof live>;
export type WorkerSeries = z.infer<typeof workerSeries>;
export type Earning = z.infer<typeof earning>;
export type Payment = z.infer<typeof payment>;
export type SubAccount = z.infer<typeof subAccount>;
export type SubAccountFacts = z.infer<typeof subAccountFacts>;
export type Wallet = z.infer<typeof wallet>;
export type WorkerGroup = z.infer<typeof workerGroup>;
export type GroupPower = z.infer<typeof groupPower>;
export type AccessToken = z.infer<typeof accessToken>;
export type AuditEntry = z.infer<typeof auditEntry>;
/** The workers that an entry is about by their groups (null: in none), with the names of the first ones. */
export type AuditWorkers = { group: string | null; count: number; names: string[] }[];
export type Connection = z.infer<typeof connection>;
export type Upstream = z.infer<typeof upstream>;
export type UpstreamReason = (typeof UPSTREAM_REASONS)[number];
export type User = z.infer<typeof user>;
export type Notification = z.infer<typeof notification>;
