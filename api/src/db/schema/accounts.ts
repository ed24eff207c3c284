import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  text,
  uniqueIndex,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core';
import { now, sats, time } from './columns';

// Accounts

/** A user of the pool. The role is decided here and nowhere else. */
export const appUser = pgTable('app_user', {
  id: serial('id').primaryKey(),
  /** The `sub` of the identity token. */
  identityId: text('identity_id').notNull().unique(),
  userName: text('user_name').notNull().unique(),
  email: text('email'),
  role: text('role', { enum: ['miner', 'admin'] })
    .notNull()
    .default('miner'),
  isLegacyUser: boolean('is_legacy_user').notNull().default(false),
  disabled: boolean('disabled').notNull().default(false),
  feePercent: doublePrecision('fee_percent'),
  /** Where referral earnings are paid to; a change is held like a sub-account's address. */
  referralAddress: text('referral_address'),
  referralAddressBefore: text('referral_address_before'),
  referralHoldUntil: time('referral_hold_until'),
  /** Until then an admin whom another one has made approves, sends and confirms nothing (accounts/second-admin.ts). */
  fullAdminAt: time('full_admin_at'),
  lastSeenAt: time('last_seen_at'),
  createdAt: now('created_at'),
  /** Increased by a trigger when an admin's edit changes it: an edit names the version it has seen. */
  version: integer('version').notNull().default(1),
});

/** What an admin has asked for that takes another admin (accounts/second-admin.ts). */
export const adminRequest = pgTable('admin_request', {
  what: text('what').primaryKey(),
  askedBy: integer('asked_by')
    .notNull()
    .references(() => appUser.id, { onDelete: 'cascade' }),
  askedAt: now('asked_at'),
});

/** A mining account; the one with its user's name is the primary. Shares belong to `name.worker`. */
export const subAccount = pgTable(
  'sub_account',
  {
    id: serial('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => appUser.id),
    name: text('name').notNull().unique(),
    /** Algorithm name to the sub-account's own Stratum port. */
    ports: jsonb('ports').$type<Partial<Record<string, number>>>().notNull().default({}),
    proxyPort: integer('proxy_port'),
    btcAddress: text('btc_address'),
    /** The address before the last change, and until when nothing is paid (payouts/wallet-rules.ts). */
    addressBefore: text('address_before'),
    addressHoldUntil: time('address_hold_until'),
    /** The admin who has set it, until its owner confirms it: that admin does not pay to it. */
    addressSetBy: integer('address_set_by').references(() => appUser.id),
    thresholdSat: sats('threshold_sat').notNull().default(5_000_000),
    /** Password of its miners, salted and hashed (stratum/miner/miner-password.ts); null: any. */
    minerPassword: text('miner_password'),
    payoutPaused: boolean('payout_paused').notNull().default(false),
    createdAt: now('created_at'),
    /** A deleted account keeps its history and its name: nobody else may get its miners. */
    deletedAt: time('deleted_at'),
    /** As of a user. */
    version: integer('version').notNull().default(1),
  },
  (t) => [
    index().on(t.userId),
    check('sub_account_name', sql`${t.name} ~ '^[a-z][a-z0-9_-]{2,31}$'`),
    check('sub_account_miner_password', sql`${t.minerPassword} ~ '^[A-Za-z0-9_-]+:[A-Za-z0-9_-]+$'`),
  ],
);

export const workerGroup = pgTable(
  'worker_group',
  {
    id: serial('id').notNull(),
    subAccountId: integer('sub_account_id')
      .notNull()
      .references(() => subAccount.id),
    name: text('name').notNull(),
    createdAt: now('created_at'),
  },
  (t) => [primaryKey({ columns: [t.subAccountId, t.id] }), uniqueIndex().on(t.subAccountId, t.name)],
);

export const worker = pgTable(
  'worker',
  {
    id: serial('id').notNull(),
    subAccountId: integer('sub_account_id')
      .notNull()
      .references(() => subAccount.id),
    algorithm: text('algorithm').notNull(),
    name: text('name').notNull(),
    groupId: integer('group_id'),
    muted: boolean('muted').notNull().default(false),
    alertLimit: doublePrecision('alert_limit').notNull().default(0.7),
    /** `owned`: its owner has grouped, muted or confirmed it. `strange`: one of many new names of one day. */
    standing: text('standing', { enum: ['owned', 'strange'] }),
    createdAt: now('created_at'),
  },
  (t) => [
    primaryKey({ columns: [t.subAccountId, t.id] }),
    foreignKey({
      columns: [t.subAccountId, t.groupId],
      foreignColumns: [workerGroup.subAccountId, workerGroup.id],
    }),
    index().on(t.id),
    uniqueIndex().on(t.subAccountId, t.algorithm, t.name),
    index().on(t.createdAt),
    check('worker_standing', sql`${t.standing} in ('owned', 'strange')`),
  ],
);

/** The key of a worker in a table whose rows go with it. */
export const ofWorker = (t: { subAccountId: AnyPgColumn; workerId: AnyPgColumn }) =>
  foreignKey({
    columns: [t.subAccountId, t.workerId],
    foreignColumns: [worker.subAccountId, worker.id],
  }).onDelete('cascade');

/** Every address change of a sub-account. Held until `effective_at`, unless cancelled or replaced by a later one. */
export const walletChange = pgTable(
  'wallet_change',
  {
    id: serial('id').primaryKey(),
    subAccountId: integer('sub_account_id')
      .notNull()
      .references(() => subAccount.id),
    oldAddress: text('old_address'),
    newAddress: text('new_address').notNull(),
    status: text('status', { enum: ['set', 'cancelled', 'replaced'] })
      .notNull()
      .default('set'),
    effectiveAt: time('effective_at').notNull(),
    createdAt: now('created_at'),
  },
  (t) => [index().on(t.subAccountId, t.id)],
);

/** Watcher links and API keys: access without signing in. The token itself is shown once and not stored. */
export const accessToken = pgTable(
  'access_token',
  {
    id: serial('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => appUser.id),
    kind: text('kind', { enum: ['watcher', 'api_key'] }).notNull(),
    name: text('name').notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    /** Its first characters, to recognise it. */
    prefix: text('prefix').notNull(),
    scopes: text('scopes').array().notNull(),
    expiresAt: time('expires_at'),
    lastUsedAt: time('last_used_at'),
    revokedAt: time('revoked_at'),
    createdAt: now('created_at'),
  },
  (t) => [index().on(t.userId), check('access_token_kind', sql`${t.kind} in ('watcher', 'api_key')`)],
);
