import { LANGUAGES } from '@pool/shared/i18n/languages';
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { appUser, subAccount, ofWorker } from './accounts';
import { now, sats, time } from './columns';

// Alerts and Telegram

/**
 * State of a worker's alert: faults that began, exist or ended recently (alerts/transitions.ts); most workers have no
 * row.
 */
export const workerAlert = pgTable(
  'worker_alert',
  {
    workerId: integer('worker_id').notNull(),
    kind: text('kind', { enum: ['offline', 'low', 'rejects'] }).notNull(),
    /** When the fault began, or ended; null: it did not. */
    since: time('since'),
    clearSince: time('clear_since'),
    /** The fault lasted long enough. `told`: an alert was sent, so its end is sent too. */
    active: boolean('active').notNull().default(false),
    told: boolean('told').notNull().default(false),
    toldAt: time('told_at'),
    subAccountId: integer('sub_account_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.subAccountId, t.workerId, t.kind] }),
    ofWorker(t),
    check('worker_alert_kind', sql`${t.kind} in ('offline', 'low', 'rejects')`),
  ],
);

/** Faults of workers that began or ended (`_over`), told or not; kept 90 days. */
export const workerEvent = pgTable(
  'worker_event',
  {
    id: bigserial('id', { mode: 'number' }).notNull(),
    workerId: integer('worker_id').notNull(),
    kind: text('kind').notNull(),
    at: time('at').notNull(),
    subAccountId: integer('sub_account_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.subAccountId, t.id] }),
    ofWorker(t),
    index('worker_event_by_worker').on(t.subAccountId, t.workerId, t.at),
    check('worker_event_kind', sql`${t.kind} ~ '^(offline|low|rejects)(_over)?$'`),
  ],
);

/**
 * A Telegram chat that gets messages about a user's accounts. `pending` until the page that made the link confirms the
 * chat that opened it.
 */
export const telegramConnection = pgTable(
  'telegram_connection',
  {
    id: serial('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => appUser.id),
    chatId: bigint('chat_id', { mode: 'number' }),
    username: text('username'),
    /** Who opened the link in the chat, by Telegram's id: in a group that person may stop it. */
    linkedBy: bigint('linked_by', { mode: 'number' }),
    language: text('language', { enum: LANGUAGES }).notNull().default('en'),
    status: text('status', { enum: ['pending', 'linked', 'blocked'] })
      .notNull()
      .default('pending'),
    /** Empty: all of the user's, future ones included. */
    subAccountIds: integer('sub_account_ids').array().notNull().default([]),
    events: text('events').array().notNull(),
    /** Hash of the deep link's token, which works once, until `expiresAt`, for the session that made it. */
    tokenHash: text('token_hash').notNull().unique(),
    sessionId: text('session_id').notNull(),
    expiresAt: time('expires_at').notNull(),
    linkedAt: time('linked_at'),
    createdAt: now('created_at'),
  },
  (t) => [
    index().on(t.userId),
    index().on(t.chatId),
    uniqueIndex('telegram_connection_chat')
      .on(t.userId, t.chatId)
      .where(sql`${t.status} <> 'pending'`),
    check(
      'telegram_connection_status',
      sql`${t.status} = 'pending'
        or (${t.status} in ('linked', 'blocked') and ${t.chatId} is not null and ${t.linkedAt} is not null)`,
    ),
  ],
);

/** What a user is mailed of, and the hours without alerts, in minutes of the day of `timeZone` (outbox/pending.ts). */
export const alertSetting = pgTable(
  'alert_setting',
  {
    userId: integer('user_id')
      .primaryKey()
      .references(() => appUser.id),
    mailEvents: text('mail_events').array().notNull().default([]),
    quietFrom: smallint('quiet_from'),
    quietTo: smallint('quiet_to'),
    timeZone: text('time_zone').notNull().default('UTC'),
  },
  (t) => [check('alert_setting_quiet', sql`(${t.quietFrom} is null) = (${t.quietTo} is null)`)],
);

/** Hashrate, H/s, below which an account's owner is told, and the state of that alert, as of a worker's. */
export const accountLimit = pgTable(
  'account_limit',
  {
    subAccountId: integer('sub_account_id')
      .notNull()
      .references(() => subAccount.id, { onDelete: 'cascade' }),
    algorithm: text('algorithm').notNull(),
    hashrate: doublePrecision('hashrate').notNull(),
    since: time('since'),
    clearSince: time('clear_since'),
    active: boolean('active').notNull().default(false),
    told: boolean('told').notNull().default(false),
    toldAt: time('told_at'),
  },
  (t) => [primaryKey({ columns: [t.subAccountId, t.algorithm] })],
);

/** Addresses that get a user's notifications by POST (webhooks/webhooks.ts). */
export const webhook = pgTable(
  'webhook',
  {
    id: serial('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => appUser.id),
    url: text('url').notNull(),
    /** Encrypted (secrets.ts). */
    secret: text('secret').notNull(),
    events: text('events').array().notNull(),
    /** The address has answered that it is gone. */
    stoppedAt: time('stopped_at'),
    createdAt: now('created_at'),
  },
  (t) => [index().on(t.userId)],
);

/** Browsers that show a user's notifications (push/). */
export const pushSubscription = pgTable(
  'push_subscription',
  {
    id: serial('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => appUser.id),
    /** Of the browser's push service, with the keys that messages are encrypted with. */
    endpoint: text('endpoint').notNull().unique(),
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    language: text('language', { enum: LANGUAGES }).notNull(),
    events: text('events').array().notNull(),
    createdAt: now('created_at'),
  },
  (t) => [index().on(t.userId)],
);

/** Messages to people, sent in order per target. Ended ones stay a week: a target gets a `dedupe` once. */
export const outbox = pgTable(
  'outbox',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    channel: text('channel', { enum: ['telegram', 'mail', 'webhook', 'push'] }).notNull(),
    /** Id of a chat, a webhook or a browser, or an e-mail address. */
    target: text('target').notNull(),
    /** Of a message to a linked chat: it is not sent after the link has ended. */
    connectionId: integer('connection_id').references(() => telegramConnection.id, { onDelete: 'cascade' }),
    dedupe: text('dedupe').notNull(),
    /** As its channel reads it; but for webhooks null once it is sent or given up: it may contain a code. */
    content: text('content'),
    status: text('status', { enum: ['waiting', 'sent', 'failed'] })
      .notNull()
      .default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    nextAt: time('next_at').notNull(),
    error: text('error'),
    /** Of a webhook, the last one: `status`, `ms`, `body`. */
    answer: jsonb('answer'),
    createdAt: now('created_at'),
    sentAt: time('sent_at'),
    expiresAt: time('expires_at').notNull(),
    /** In the Message-ID of a mail: a bounce that has it is about that mail. */
    token: uuid('token').notNull().defaultRandom(),
  },
  (t) => [
    uniqueIndex().on(t.channel, t.target, t.dedupe),
    index('outbox_waiting')
      .on(t.channel, t.target, t.id)
      .where(sql`${t.status} = 'waiting'`),
    check('outbox_channel', sql`${t.channel} in ('telegram', 'mail', 'webhook', 'push')`),
  ],
);

/** Requests for a welcome bonus: one a day per e-mail address and per source. */
export const bonusRequest = pgTable(
  'bonus_request',
  {
    id: serial('id').primaryKey(),
    email: text('email').notNull(),
    /** Sender's address; of IPv6 its /64 network. */
    source: text('source').notNull(),
    day: date('day').notNull(),
    createdAt: now('created_at'),
    status: text('status', { enum: ['new', 'granted', 'refused'] })
      .notNull()
      .default('new'),
    note: text('note'),
    /** Of a granted one: who got it and how much. */
    subAccountId: integer('sub_account_id'),
    amountSat: sats('amount_sat'),
    /** The admin. */
    handledBy: integer('handled_by'),
    handledAt: time('handled_at'),
  },
  (t) => [
    uniqueIndex().on(t.email, t.day),
    uniqueIndex().on(t.source, t.day),
    check(
      'bonus_request_status',
      sql`${t.status} in ('new', 'granted', 'refused') and (${t.status} = 'granted') = (${t.amountSat} is not null)`,
    ),
  ],
);
