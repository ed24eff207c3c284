import { sql } from 'drizzle-orm';
import { boolean, check, foreignKey, index, integer, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { appUser, subAccount } from './accounts';
import { now, time } from './columns';

// Upstream pools of users

/** A user's saved upstream pool. */
export const poolConfig = pgTable(
  'pool_config',
  {
    id: serial('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => appUser.id),
    name: text('name').notNull(),
    algorithm: text('algorithm').notNull(),
    /** `stratum+tcp://host:port` or `stratum+ssl://…`, the host in its canonical spelling. */
    url: text('url').notNull(),
    userName: text('user_name').notNull(),
    /** Encrypted (secrets.ts), `<key id>:<…>`; null: none. */
    password: text('password'),
    createdAt: now('created_at'),
  },
  (t) => [
    uniqueIndex('pool_config_name').on(t.userId, t.name),
    uniqueIndex('pool_config_algorithm').on(t.id, t.algorithm),
    check('pool_config_url', sql`${t.url} ~ '^stratum[+](tcp|ssl)://'`),
    // Keeps a plain-text password out.
    check('pool_config_password', sql`${t.password} ~ '^[0-9a-f]{16}:[A-Za-z0-9_-]+$'`),
  ],
);

/**
 * A place in a sub-account's list of an algorithm, 1 the best. The database also keeps (sub-account, algorithm,
 * priority) unique, checked at the end of a transaction (see the migration).
 */
export const subAccountPoolConfig = pgTable(
  'sub_account_pool_config',
  {
    id: serial('id').primaryKey(),
    subAccountId: integer('sub_account_id')
      .notNull()
      .references(() => subAccount.id),
    poolConfigId: integer('pool_config_id').notNull(),
    algorithm: text('algorithm').notNull(),
    priority: integer('priority').notNull(),
    enabled: boolean('enabled').notNull().default(true),
    createdAt: now('created_at'),
  },
  (t) => [
    foreignKey({
      name: 'sub_account_pool_config_of',
      columns: [t.poolConfigId, t.algorithm],
      foreignColumns: [poolConfig.id, poolConfig.algorithm],
    }),
    uniqueIndex('sub_account_pool_config_once').on(t.subAccountId, t.poolConfigId),
    index('sub_account_pool_config_by').on(t.poolConfigId),
    check('sub_account_pool_config_priority', sql`${t.priority} >= 1`),
  ],
);

/**
 * Users who want changes of their lists held (upstreams/pool-hold.ts). Between `since` and `until` one is held; from
 * `offAt` on none is. The views `edited_pool` and `pool_in_force` (see the migration) have the lists.
 */
export const poolHold = pgTable('pool_hold', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => appUser.id),
  since: time('since'),
  until: time('until'),
  offAt: time('off_at'),
});

/** The places of a user's lists before the held change, with their pools. `id`: of the place. */
export const heldPool = pgTable(
  'held_pool',
  {
    id: integer('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => poolHold.userId, { onDelete: 'cascade' }),
    subAccountId: integer('sub_account_id').notNull(),
    poolConfigId: integer('pool_config_id').notNull(),
    algorithm: text('algorithm').notNull(),
    priority: integer('priority').notNull(),
    enabled: boolean('enabled').notNull(),
    name: text('name').notNull(),
    url: text('url').notNull(),
    userName: text('user_name').notNull(),
    password: text('password'),
  },
  (t) => [index().on(t.userId), check('held_pool_password', sql`${t.password} ~ '^[0-9a-f]{16}:[A-Za-z0-9_-]+$'`)],
);
