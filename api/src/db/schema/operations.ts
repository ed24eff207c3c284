import type { OutageReason } from '@pool/shared/api/contract';
import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { appUser } from './accounts';
import { now, time } from './columns';

// Operations

export const notification = pgTable(
  'notification',
  {
    id: serial('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => appUser.id),
    kind: text('kind').notNull(),
    values: jsonb('values').$type<Record<string, string | number>>().notNull().default({}),
    createdAt: now('created_at'),
    readAt: time('read_at'),
    /** When its Telegram messages were made (telegram/forward.ts). */
    forwardedAt: time('forwarded_at'),
    /** When its mail was made (mail/alerts.ts). */
    mailedAt: time('mailed_at'),
    /** When it was made for browsers (push/forward.ts). */
    pushedAt: time('pushed_at'),
    /** Key of what it is about, for notifications that must not repeat. */
    once: text('once'),
  },
  (t) => [
    index().on(t.userId, t.id),
    uniqueIndex('notification_once')
      .on(t.userId, t.once)
      .where(sql`${t.once} is not null`),
    index('notification_to_forward')
      .on(t.id)
      .where(sql`${t.forwardedAt} is null`),
    index('notification_to_mail')
      .on(t.id)
      .where(sql`${t.mailedAt} is null`),
    index('notification_to_push')
      .on(t.id)
      .where(sql`${t.pushedAt} is null`),
  ],
);

/** Every upstream switch. */
export const upstreamSwitch = pgTable(
  'upstream_switch',
  {
    id: serial('id').primaryKey(),
    algorithm: text('algorithm').notNull(),
    subAccountId: integer('sub_account_id'),
    fromUrl: text('from_url'),
    toUrl: text('to_url'),
    why: text('why').notNull(),
    at: now('at'),
  },
  (t) => [index().on(t.at)],
);

/** When the pool itself was out, by algorithm. `until`: null while it lasts. */
export const poolOutage = pgTable(
  'pool_outage',
  {
    id: serial('id').primaryKey(),
    algorithm: text('algorithm').notNull(),
    why: text('why').$type<OutageReason>().notNull(),
    since: time('since').notNull(),
    until: time('until'),
  },
  (t) => [
    index().on(t.since),
    uniqueIndex('pool_outage_open')
      .on(t.algorithm)
      .where(sql`${t.until} is null`),
    check('pool_outage_why', sql`${t.why} in ('server', 'upstream', 'miners')`),
  ],
);

/** Every write: the user, the action, the address it came from. */
export const audit = pgTable(
  'audit',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: integer('user_id'),
    action: text('action').notNull(),
    subject: text('subject'),
    before: jsonb('before'),
    after: jsonb('after'),
    ip: text('ip'),
    at: now('at'),
  },
  (t) => [
    index().on(t.userId, t.id),
    index('audit_action_index').on(t.action.op('text_pattern_ops'), t.id),
    index('audit_subject_index')
      .on(t.subject, t.id)
      .where(sql`${t.subject} is not null`),
    index().on(t.at, t.id),
  ],
);

/** The hash of each audit row and all before it, in the order of their commits; written by a trigger. */
export const auditChain = pgTable(
  'audit_chain',
  {
    seq: bigint('seq', { mode: 'number' }).primaryKey(),
    auditId: bigint('audit_id', { mode: 'number' }).notNull(),
    hash: text('hash').notNull(),
  },
  (t) => [uniqueIndex().on(t.auditId)],
);
