/**
 * Tables. Money is integer satoshis (bigint), hashrate and work are doubles, times are timestamptz (UTC).
 * Partitions, triggers and rollup SQL live in the migrations (`migrations/*.sql`).
 */
import { sql } from 'drizzle-orm';
import {
  bigint, boolean, check, date, doublePrecision, index, integer, jsonb, pgTable, primaryKey, serial, text, timestamp, uniqueIndex,
} from 'drizzle-orm/pg-core';

const now = (name: string) => timestamp(name, { withTimezone: true }).notNull().defaultNow();
const time = (name: string) => timestamp(name, { withTimezone: true });
const sats = (name: string) => bigint(name, { mode: 'number' });

// ── Identity: what the embedded sign-in service keeps ──────────────────────────────────────────────────────────
export const identityUser = pgTable('identity_user', {
  id: text('id').primaryKey(), // user_…
  userName: text('user_name').notNull().unique(),
  email: text('email').unique(),
  firstName: text('first_name'),
  lastName: text('last_name'),
  passwordHash: text('password_hash').notNull(),
  createdAt: now('created_at'),
  updatedAt: now('updated_at'),
});

/** One browser. The secret in the `__client` cookie is stored hashed and rotated on sign-in. */
export const identityClient = pgTable('identity_client', {
  id: text('id').primaryKey(), // client_…
  secretHash: text('secret_hash').notNull().unique(),
  /** Sign-in or sign-up under way, in the shape the service answers. */
  flow: jsonb('flow'),
  createdAt: now('created_at'),
  updatedAt: now('updated_at'),
});

export const identitySession = pgTable('identity_session', {
  id: text('id').primaryKey(), // sess_…
  clientId: text('client_id').notNull().references(() => identityClient.id, { onDelete: 'cascade' }),
  userId: text('user_id').notNull().references(() => identityUser.id, { onDelete: 'cascade' }),
  status: text('status').notNull().default('active'), // active | ended | removed | expired
  signedInAt: now('signed_in_at'),
  lastActiveAt: now('last_active_at'),
  expiresAt: time('expires_at').notNull(),
  userAgent: text('user_agent'),
  ip: text('ip'),
}, (t) => [index().on(t.userId), index().on(t.clientId)]);

/** Named secrets and settings of the installation: signing key, seed flags. */
export const setting = pgTable('setting', { name: text('name').primaryKey(), value: jsonb('value').notNull(), updatedAt: now('updated_at') });

// ── Accounts ───────────────────────────────────────────────────────────────────────────────────────────────────
/** A person of the pool. The role is decided here and nowhere else. */
export const appUser = pgTable('app_user', {
  id: serial('id').primaryKey(),
  /** The `sub` of the identity token. */
  identityId: text('identity_id').notNull().unique(),
  userName: text('user_name').notNull().unique(),
  email: text('email'),
  role: text('role', { enum: ['miner', 'admin'] }).notNull().default('miner'),
  isLegacyUser: boolean('is_legacy_user').notNull().default(false),
  disabled: boolean('disabled').notNull().default(false),
  feePercent: doublePrecision('fee_percent'),
  lastSeenAt: time('last_seen_at'),
  createdAt: now('created_at'),
});

/** A mining account; the one named like its user is the primary. Shares belong to `name.worker`. */
export const subAccount = pgTable('sub_account', {
  id: serial('id').primaryKey(),
  userId: integer('user_id').notNull().references(() => appUser.id),
  name: text('name').notNull().unique(),
  /** Algorithm name to a Stratum port of its own. */
  ports: jsonb('ports').$type<Partial<Record<string, number>>>().notNull().default({}),
  proxyPort: integer('proxy_port'),
  btcAddress: text('btc_address'),
  thresholdSat: sats('threshold_sat').notNull().default(5_000_000),
  createdAt: now('created_at'),
}, (t) => [index().on(t.userId), check('sub_account_name', sql`${t.name} ~ '^[a-z][a-z0-9_-]{2,31}$'`)]);

export const workerGroup = pgTable('worker_group', {
  id: serial('id').primaryKey(),
  subAccountId: integer('sub_account_id').notNull().references(() => subAccount.id),
  name: text('name').notNull(),
  createdAt: now('created_at'),
}, (t) => [uniqueIndex().on(t.subAccountId, t.name)]);

export const worker = pgTable('worker', {
  id: serial('id').primaryKey(),
  subAccountId: integer('sub_account_id').notNull().references(() => subAccount.id),
  algorithm: text('algorithm').notNull(),
  name: text('name').notNull(),
  groupId: integer('group_id').references(() => workerGroup.id, { onDelete: 'set null' }),
  muted: boolean('muted').notNull().default(false),
  alertLimit: doublePrecision('alert_limit').notNull().default(0.7),
  createdAt: now('created_at'),
}, (t) => [uniqueIndex().on(t.subAccountId, t.algorithm, t.name)]);

// ── Shares: sums of difficulty per worker and step ─────────────────────────────────────────────────────────────
/** The newest known of each worker, one row each: the live list reads only this. */
export const workerLive = pgTable('worker_live', {
  workerId: integer('worker_id').primaryKey().references(() => worker.id, { onDelete: 'cascade' }),
  lastShareAt: time('last_share_at'),
  connectedAt: time('connected_at'),
  disconnectedAt: time('disconnected_at'),
  difficulty: doublePrecision('difficulty'),
  software: text('software'),
  remote: text('remote'),
});

/** Batches already counted: a retry of (proxy, sequence) is a no-op. */
export const ingestBatch = pgTable('ingest_batch', {
  proxyId: text('proxy_id').notNull(),
  sequence: bigint('sequence', { mode: 'number' }).notNull(),
  at: now('at'),
}, (t) => [primaryKey({ columns: [t.proxyId, t.sequence] })]);

const bucketColumns = () => ({
  workerId: integer('worker_id').notNull(),
  at: time('at').notNull(),
  /** Sums of share difficulty, and how many shares were accepted. */
  accepted: doublePrecision('accepted').notNull().default(0),
  stale: doublePrecision('stale').notNull().default(0),
  rejected: doublePrecision('rejected').notNull().default(0),
  shares: integer('shares').notNull().default(0),
});
// Partitioned by range of `at` (see the migration); kept 3 days, 40 days, a year, for ever.
export const share1m = pgTable('share_1m', bucketColumns(), (t) => [primaryKey({ columns: [t.workerId, t.at] })]);
export const share10m = pgTable('share_10m', bucketColumns(), (t) => [primaryKey({ columns: [t.workerId, t.at] })]);
export const share1h = pgTable('share_1h', bucketColumns(), (t) => [primaryKey({ columns: [t.workerId, t.at] })]);
export const share1d = pgTable('share_1d', bucketColumns(), (t) => [primaryKey({ columns: [t.workerId, t.at] })]);

const accountBucketColumns = () => ({
  subAccountId: integer('sub_account_id').notNull(),
  algorithm: text('algorithm').notNull(),
  at: time('at').notNull(),
  accepted: doublePrecision('accepted').notNull().default(0),
  stale: doublePrecision('stale').notNull().default(0),
  rejected: doublePrecision('rejected').notNull().default(0),
  shares: integer('shares').notNull().default(0),
});
// The same sums per sub-account, so that a chart never adds up workers.
export const account1m = pgTable('account_1m', accountBucketColumns(), (t) => [primaryKey({ columns: [t.subAccountId, t.algorithm, t.at] })]);
export const account10m = pgTable('account_10m', accountBucketColumns(), (t) => [primaryKey({ columns: [t.subAccountId, t.algorithm, t.at] })]);
export const account1h = pgTable('account_1h', accountBucketColumns(), (t) => [primaryKey({ columns: [t.subAccountId, t.algorithm, t.at] })]);
export const account1d = pgTable('account_1d', accountBucketColumns(), (t) => [primaryKey({ columns: [t.subAccountId, t.algorithm, t.at] })]);

// ── Money ──────────────────────────────────────────────────────────────────────────────────────────────────────
/** Price of a day: BTC per PH/s (SHA256) or TH/s (SCRYPT). */
export const dayPrice = pgTable('day_price', {
  day: date('day').notNull(),
  algorithm: text('algorithm').notNull(),
  priceBtc: doublePrecision('price_btc').notNull(),
  btcPriceUsd: doublePrecision('btc_price_usd').notNull(),
  source: text('source').notNull().default('default'),
}, (t) => [primaryKey({ columns: [t.day, t.algorithm] }), check('day_price_bounds', sql`${t.priceBtc} > 0 and ${t.btcPriceUsd} > 0`)]);

/** What a sub-account earned in a finished UTC day. */
export const earning = pgTable('earning', {
  subAccountId: integer('sub_account_id').notNull().references(() => subAccount.id),
  algorithm: text('algorithm').notNull(),
  day: date('day').notNull(),
  work: doublePrecision('work').notNull(),
  shares: integer('shares').notNull(),
  meanHashrate: doublePrecision('mean_hashrate').notNull(),
  priceBtc: doublePrecision('price_btc').notNull(),
  btcPriceUsd: doublePrecision('btc_price_usd').notNull(),
  feePercent: doublePrecision('fee_percent').notNull(),
  grossSat: sats('gross_sat').notNull(),
  feeSat: sats('fee_sat').notNull(),
  referralSat: sats('referral_sat').notNull().default(0),
  netSat: sats('net_sat').notNull(),
  status: text('status', { enum: ['final', 'adjusted'] }).notNull().default('final'),
  closedAt: now('closed_at'),
}, (t) => [primaryKey({ columns: [t.subAccountId, t.algorithm, t.day] }), check('earning_adds_up', sql`${t.grossSat} = ${t.feeSat} + ${t.netSat}`)]);

/** Append-only (a trigger refuses UPDATE and DELETE). The balance of a sub-account is the sum of its rows. */
export const ledger = pgTable('ledger', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  subAccountId: integer('sub_account_id').notNull().references(() => subAccount.id),
  kind: text('kind', { enum: ['earning', 'payout', 'payout_reversal', 'referral', 'bonus', 'adjustment'] }).notNull(),
  amountSat: sats('amount_sat').notNull(),
  /** What the row is about: `SHA256_ASICBOOST/2026-11-19`, a payment id. */
  ref: text('ref').notNull(),
  at: now('at'),
}, (t) => [uniqueIndex().on(t.subAccountId, t.kind, t.ref)]);

export const payment = pgTable('payment', {
  id: serial('id').primaryKey(),
  subAccountId: integer('sub_account_id').notNull().references(() => subAccount.id),
  periodFrom: date('period_from').notNull(),
  periodTo: date('period_to').notNull(),
  amountSat: sats('amount_sat').notNull(),
  networkFeeSat: sats('network_fee_sat').notNull().default(0),
  address: text('address'),
  txid: text('txid'),
  status: text('status', { enum: ['pending', 'queued', 'sent', 'confirmed', 'failed', 'cancelled'] }).notNull().default('pending'),
  reason: text('reason'),
  trigger: text('trigger', { enum: ['auto', 'manual', 'referral', 'bonus'] }).notNull().default('auto'),
  note: text('note'),
  createdAt: now('created_at'),
  sentAt: time('sent_at'),
  confirmedAt: time('confirmed_at'),
  usdAtSend: doublePrecision('usd_at_send'),
}, (t) => [
  // One open payment per sub-account.
  uniqueIndex('payment_one_open').on(t.subAccountId).where(sql`${t.status} in ('pending', 'queued')`),
  check('payment_amount', sql`${t.amountSat} > 0`),
  check('payment_txid', sql`${t.status} not in ('sent', 'confirmed') or ${t.txid} is not null`),
]);

// ── Referral ───────────────────────────────────────────────────────────────────────────────────────────────────
export const referralCode = pgTable('referral_code', { code: text('code').primaryKey(), userId: integer('user_id').notNull().unique().references(() => appUser.id), createdAt: now('created_at') });

/** Who brought whom; at most one referrer per user. */
export const referral = pgTable('referral', {
  userId: integer('user_id').primaryKey().references(() => appUser.id),
  referrerId: integer('referrer_id').notNull().references(() => appUser.id),
  activatedAt: now('activated_at'),
}, (t) => [index().on(t.referrerId), check('referral_not_own', sql`${t.userId} <> ${t.referrerId}`)]);

/** The referrer's share of one earning's fee. */
export const referralAccrual = pgTable('referral_accrual', {
  userId: integer('user_id').notNull(),
  referrerId: integer('referrer_id').notNull(),
  subAccountId: integer('sub_account_id').notNull(),
  algorithm: text('algorithm').notNull(),
  day: date('day').notNull(),
  baseFeeSat: sats('base_fee_sat').notNull(),
  ratePercent: doublePrecision('rate_percent').notNull(),
  amountSat: sats('amount_sat').notNull(),
  status: text('status', { enum: ['accrued', 'payable', 'paid', 'reversed'] }).notNull().default('accrued'),
}, (t) => [primaryKey({ columns: [t.subAccountId, t.algorithm, t.day] }), index().on(t.referrerId)]);

// ── Operations ─────────────────────────────────────────────────────────────────────────────────────────────────
export const notification = pgTable('notification', {
  id: serial('id').primaryKey(),
  userId: integer('user_id').notNull().references(() => appUser.id),
  kind: text('kind').notNull(),
  values: jsonb('values').$type<Record<string, string | number>>().notNull().default({}),
  createdAt: now('created_at'),
  readAt: time('read_at'),
}, (t) => [index().on(t.userId, t.id)]);

/** Every switch of an upstream, as it happened. */
export const upstreamSwitch = pgTable('upstream_switch', {
  id: serial('id').primaryKey(),
  algorithm: text('algorithm').notNull(),
  subAccountId: integer('sub_account_id'),
  fromUrl: text('from_url'),
  toUrl: text('to_url'),
  why: text('why').notNull(),
  at: now('at'),
});

/** Every write: who, what, from where. */
export const audit = pgTable('audit', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  userId: integer('user_id'),
  action: text('action').notNull(),
  subject: text('subject'),
  before: jsonb('before'),
  after: jsonb('after'),
  ip: text('ip'),
  at: now('at'),
}, (t) => [index().on(t.userId, t.id)]);
