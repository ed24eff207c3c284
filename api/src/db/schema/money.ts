import { sql } from 'drizzle-orm';
import { bigint, check, date, doublePrecision, integer, pgTable, primaryKey, serial, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { subAccount } from './accounts';
import { now, sats, time } from './columns';

// Money

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
