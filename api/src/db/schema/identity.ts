import { LANGUAGES } from '@pool/shared/i18n/languages';
import { sql } from 'drizzle-orm';
import { bigint, bigserial, check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytes, now, time } from './columns';

// Tables of the embedded sign-in service

export const identityUser = pgTable(
  'identity_user',
  {
    id: text('id').primaryKey(), // user_…
    userName: text('user_name').notNull().unique(),
    email: text('email').unique(),
    /** When its owner entered a code that was sent there. */
    emailVerifiedAt: time('email_verified_at'),
    /** Of the pages in which it was entered; mails about the account are in it. */
    language: text('language', { enum: LANGUAGES }),
    firstName: text('first_name'),
    lastName: text('last_name'),
    /** Hash of the picture; null: none. */
    picture: text('picture'),
    passwordHash: text('password_hash').notNull(),
    /** Encrypted secret of the authenticator app. */
    totpSecret: text('totp_secret'),
    /** When two-step sign-in was turned on; null: it is off, and a secret is one that no code has confirmed yet. */
    totpSince: time('totp_since'),
    /** The 30 seconds since 1970 of the last accepted code; it and older ones are not accepted again. */
    totpStep: integer('totp_step').notNull().default(0),
    /** Hashes of the backup codes that are left. */
    backupCodes: text('backup_codes').array().notNull().default([]),
    createdAt: now('created_at'),
    updatedAt: now('updated_at'),
  },
  (t) => [check('identity_user_totp', sql`${t.totpSince} is null or ${t.totpSecret} is not null`)],
);

/** Apart from the user, whose row every call reads. */
export const identityPicture = pgTable('identity_picture', {
  userId: text('user_id')
    .primaryKey()
    .references(() => identityUser.id, { onDelete: 'cascade' }),
  bytes: bytes('bytes').notNull(),
});

/** Another way to sign in beside the password: a key pair of a device, of which this is the public half. */
export const identityPasskey = pgTable(
  'identity_passkey',
  {
    id: text('id').primaryKey(), // passkey_…
    userId: text('user_id')
      .notNull()
      .references(() => identityUser.id, { onDelete: 'cascade' }),
    credentialId: text('credential_id').notNull().unique(),
    publicKey: bytes('public_key').notNull(),
    /** Of its uses, as the device counts them; 0: it does not count. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull(),
    name: text('name').notNull(),
    createdAt: now('created_at'),
    updatedAt: now('updated_at'),
    lastUsedAt: time('last_used_at'),
  },
  (t) => [index().on(t.userId)],
);

/** One browser. The secret in the `__client` cookie is stored hashed and rotated on sign-in. */
export const identityClient = pgTable('identity_client', {
  id: text('id').primaryKey(), // client_…
  secretHash: text('secret_hash').notNull().unique(),
  /** Unfinished sign-in or sign-up, in the shape the service returns. */
  flow: jsonb('flow'),
  createdAt: now('created_at'),
  updatedAt: now('updated_at'),
});

export const identitySession = pgTable(
  'identity_session',
  {
    id: text('id').primaryKey(), // sess_…
    clientId: text('client_id')
      .notNull()
      .references(() => identityClient.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => identityUser.id, { onDelete: 'cascade' }),
    status: text('status').notNull().default('active'), // active | ended | removed | expired
    /** When the password was last entered. */
    signedInAt: now('signed_in_at'),
    /** When a code of two-step sign-in was last entered, or a passkey used. */
    secondFactorAt: time('second_factor_at'),
    lastActiveAt: now('last_active_at'),
    expiresAt: time('expires_at').notNull(),
    userAgent: text('user_agent'),
    ip: text('ip'),
  },
  (t) => [index().on(t.userId), index().on(t.clientId)],
);

/** A browser that an account was signed in from, by the hash of the id in its cookie. */
export const identityDevice = pgTable(
  'identity_device',
  {
    userId: text('user_id')
      .notNull()
      .references(() => identityUser.id, { onDelete: 'cascade' }),
    deviceHash: text('device_hash').notNull(),
    createdAt: now('created_at'),
    seenAt: now('seen_at'),
  },
  (t) => [primaryKey({ columns: [t.userId, t.deviceHash] })],
);

/** A link in a mail that acts without a session. */
export const identityLink = pgTable(
  'identity_link',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    tokenHash: text('token_hash').notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => identityUser.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ['not_me', 'restore_email', 'cancel_recovery'] }).notNull(),
    /** The address that it puts back. */
    email: text('email'),
    createdAt: now('created_at'),
    expiresAt: time('expires_at').notNull(),
    usedAt: time('used_at'),
  },
  (t) => [index().on(t.userId)],
);

/** A user who has lost the second factor and waits until it is removed. */
export const identityRecovery = pgTable('identity_recovery', {
  userId: text('user_id')
    .primaryKey()
    .references(() => identityUser.id, { onDelete: 'cascade' }),
  /** Of the factor that was lost. */
  totpSince: time('totp_since').notNull(),
  readyAt: time('ready_at').notNull(),
  /** Notices that were sent, and when the next one is. */
  notices: integer('notices').notNull().default(0),
  noticeAt: now('notice_at'),
});

/** How often something was tried in a window of time (identity/limits). */
export const attempt = pgTable(
  'attempt',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    until: time('until').notNull(),
  },
  (t) => [index().on(t.until)],
);

/** Named settings of the installation: signing key, seed flags. */
export const setting = pgTable('setting', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
  updatedAt: now('updated_at'),
});
