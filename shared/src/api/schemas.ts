/** Shapes that travel over the API. Hashrates H/s; money integer satoshis; series times Unix seconds; entity times ISO 8601 UTC. */
import { z } from 'zod';
import { ACCOUNT_NAME, ALGORITHM_NAMES, TIMEFRAME_NAMES, WORKER_STATES } from '../domain';

export const algorithm = z.enum(ALGORITHM_NAMES);
export const timeframe = z.enum(TIMEFRAME_NAMES);
export const workerStateName = z.enum(WORKER_STATES);
export const accountName = z.string().regex(ACCOUNT_NAME);
export const sats = z.int();
export const isoTime = z.iso.datetime();
export const unixSeconds = z.int();
export const day = z.iso.date();

export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  /** A stable word the pages translate. */
  code: z.string(),
  requestId: z.string().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

const points = z.array(z.number().nullable());
/** Equal steps from `from`; null is a gap, never zero. The last, incomplete step is left out. */
export const series = z.object({ from: unixSeconds, step: z.int(), accepted: points, stale: points, rejected: points });

export const hashrates = z.object({ m5: z.number(), m15: z.number(), h1: z.number(), h24: z.number() });
/** Sums of share difficulties of the last 24 h, and the number of accepted shares (for the error band). */
export const quality = z.object({ accepted: z.number(), stale: z.number(), rejected: z.number(), shares: z.int() });
export const live = z.object({ series, current: hashrates, quality24h: quality, at: unixSeconds });

export const worker = z.object({
  id: z.int(),
  name: z.string(),
  group: z.string().nullable(),
  state: workerStateName,
  muted: z.boolean(),
  /** Share of the 24 h mean under which the worker counts as low, 0..1. */
  alertLimit: z.number(),
  m5: z.number(), h1: z.number(), h24: z.number(),
  /** Share of 24 h work, 0..1. */
  rejectRate: z.number(), staleRate: z.number(),
  /** Difficulty of the connection now; null when not connected. */
  difficulty: z.number().nullable(),
  lastShareAt: unixSeconds.nullable(),
  connectedAt: unixSeconds.nullable(),
  software: z.string().nullable(),
  shares24h: z.int(),
  /** 24 h in 48 half-hour means, H/s; null is a gap. */
  spark: points,
});
export const workerCounts = z.object({ online: z.int(), low: z.int(), offline: z.int(), inactive: z.int(), total: z.int() });

export const earning = z.object({
  day, account: z.string(), algorithm,
  meanHashrate: z.number(),
  /** Price used, BTC per PH/s (SHA256) or TH/s (SCRYPT) per day. */
  priceBtc: z.number(),
  grossSat: sats, feeSat: sats, referralSat: sats, netSat: sats,
  btcPriceUsd: z.number(),
  status: z.enum(['estimated', 'final', 'adjusted']),
});

export const PAYMENT_STATUSES = ['pending', 'queued', 'sent', 'confirmed', 'failed', 'cancelled'] as const;
export const payment = z.object({
  id: z.int(), account: z.string(), subAccountId: z.int(),
  periodFrom: day, periodTo: day,
  amountSat: sats, networkFeeSat: sats,
  address: z.string().nullable(), txid: z.string().nullable(),
  status: z.enum(PAYMENT_STATUSES),
  reason: z.string().nullable(),
  trigger: z.enum(['auto', 'manual', 'referral', 'bonus']),
  createdAt: isoTime, sentAt: isoTime.nullable(), confirmedAt: isoTime.nullable(), usdAtSend: z.number().nullable(),
});

export const subAccount = z.object({ id: z.int(), name: z.string(), ports: z.partialRecord(algorithm, z.int()), proxyPort: z.int().nullable() });

export const connection = z.object({
  algorithm, host: z.string(), port: z.int(), tlsPort: z.int().nullable(), exampleUser: z.string(), dedicated: z.boolean(),
});

/** The pool the proxy works for now, one per algorithm. */
export const upstream = z.object({
  algorithm, name: z.string(), url: z.string(),
  state: z.enum(['active', 'standby', 'down', 'auth_failed', 'disabled']),
  priority: z.int(), of: z.int(),
  latencyMs: z.number().nullable(),
  lastSwitchAt: unixSeconds.nullable(), lastSwitchWhy: z.string().nullable(),
  /** Worker connections the proxy holds on this upstream for the asking account. */
  connections: z.int(),
});

export const user = z.object({
  id: z.int(), userName: z.string(), email: z.string().nullable(),
  role: z.enum(['miner', 'admin']), isLegacyUser: z.boolean(), createdAt: isoTime,
});

export const adminUser = user.extend({
  /** Pool fee, percent. */
  feePercent: z.number(),
  hashrate24h: z.number(), unpaidSat: sats,
  workersOnline: z.int(),
  lastSeenAt: isoTime.nullable(), disabled: z.boolean(),
});

/** Order of the users list: a field of `adminUser`, `-` in front for the greatest (or latest) first; equal ones by `id`. */
export const userSort = z.enum([
  'userName', '-userName', 'hashrate24h', '-hashrate24h', 'unpaidSat', '-unpaidSat', 'workersOnline', '-workersOnline',
  'createdAt', '-createdAt', 'lastSeenAt', '-lastSeenAt',
]);

export const notification = z.object({
  id: z.int(), kind: z.string(), values: z.record(z.string(), z.union([z.string(), z.number()])), createdAt: isoTime, readAt: isoTime.nullable(),
});

const path = z.templateLiteral(['/', z.string()]);
const rule = z.object({ action: z.enum(['read', 'manage']), subject: z.string() });
export const remoteManifest = z.object({
  name: z.string(), version: z.string(), contract: z.int(), basePath: path, requires: rule.optional(),
  nav: z.array(z.object({ path, label: z.string(), icon: z.string(), order: z.number(), group: z.string().optional(), requires: rule.optional() })),
  entry: z.string(), preload: z.array(z.string()), files: z.record(z.string(), z.string()).optional(),
});

export type Problem = z.infer<typeof problem>;
export type Series = z.infer<typeof series>;
export type Live = z.infer<typeof live>;
export type Worker = z.infer<typeof worker>;
export type WorkerCounts = z.infer<typeof workerCounts>;
export type Earning = z.infer<typeof earning>;
export type Payment = z.infer<typeof payment>;
export type SubAccount = z.infer<typeof subAccount>;
export type Connection = z.infer<typeof connection>;
export type Upstream = z.infer<typeof upstream>;
export type User = z.infer<typeof user>;
export type AdminUser = z.infer<typeof adminUser>;
export type UserSort = z.infer<typeof userSort>;
export type Notification = z.infer<typeof notification>;
