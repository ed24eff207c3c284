import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { now, time } from './columns';

// Tables of the embedded sign-in service

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
    signedInAt: now('signed_in_at'),
    lastActiveAt: now('last_active_at'),
    expiresAt: time('expires_at').notNull(),
    userAgent: text('user_agent'),
    ip: text('ip'),
  },
  (t) => [index().on(t.userId), index().on(t.clientId)],
);

/** Named settings of the installation: signing key, seed flags. */
export const setting = pgTable('setting', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
  updatedAt: now('updated_at'),
});
