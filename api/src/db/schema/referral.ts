import { sql } from 'drizzle-orm';
import { check, date, doublePrecision, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { appUser } from './accounts';
import { now, sats } from './columns';
import { payment } from './money';

// Referral

export const referralCode = pgTable('referral_code', {
  code: text('code').primaryKey(),
  userId: integer('user_id')
    .notNull()
    .unique()
    .references(() => appUser.id),
  createdAt: now('created_at'),
});

/** Referred users and their referrers; at most one referrer per user. */
export const referral = pgTable(
  'referral',
  {
    userId: integer('user_id')
      .primaryKey()
      .references(() => appUser.id),
    referrerId: integer('referrer_id')
      .notNull()
      .references(() => appUser.id),
    activatedAt: now('activated_at'),
  },
  (t) => [index().on(t.referrerId), check('referral_not_own', sql`${t.userId} <> ${t.referrerId}`)],
);

/** The referrer's share of one earning's fee. */
export const referralAccrual = pgTable(
  'referral_accrual',
  {
    userId: integer('user_id').notNull(),
    referrerId: integer('referrer_id').notNull(),
    subAccountId: integer('sub_account_id').notNull(),
    algorithm: text('algorithm').notNull(),
    day: date('day').notNull(),
    baseFeeSat: sats('base_fee_sat').notNull(),
    ratePercent: doublePrecision('rate_percent').notNull(),
    amountSat: sats('amount_sat').notNull(),
    status: text('status', { enum: ['accrued', 'payable', 'paid', 'reversed'] })
      .notNull()
      .default('accrued'),
    paymentId: integer('payment_id').references(() => payment.id),
  },
  (t) => [
    primaryKey({ columns: [t.subAccountId, t.algorithm, t.day] }),
    index().on(t.referrerId),
    index().on(t.paymentId),
  ],
);
