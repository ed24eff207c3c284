import { bigint, index, integer, jsonb, pgTable, serial, text } from 'drizzle-orm/pg-core';
import { appUser } from './accounts';
import { now, time } from './columns';

// Operations

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
