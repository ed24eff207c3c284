import { sql } from 'drizzle-orm';
import { boolean, check, doublePrecision, index, integer, jsonb, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { now, sats, time } from './columns';

// Accounts

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
