import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { appUser, subAccount } from './accounts';
import { now, sats, time } from './columns';

// Money

/** Price of a day: BTC per PH/s (SHA256) or TH/s (SCRYPT). */
export const dayPrice = pgTable(
  'day_price',
  {
    day: date('day').notNull(),
    algorithm: text('algorithm').notNull(),
    priceBtc: doublePrecision('price_btc').notNull(),
    btcPriceUsd: doublePrecision('btc_price_usd').notNull(),
    source: text('source').notNull().default('default'),
    knownAt: now('known_at'),
  },
  (t) => [
    primaryKey({ columns: [t.day, t.algorithm] }),
    check('day_price_bounds', sql`${t.priceBtc} > 0 and ${t.btcPriceUsd} > 0`),
    check('day_price_most', sql`${t.priceBtc} <= 1000 and ${t.btcPriceUsd} <= 1000000000`),
  ],
);

/**
 * Terms from a UTC day on, until the next row: fees in percent (`user_fee` null: the pool's; `default_fee`: of the
 * operator's setting), the newcomer rule.
 */
export const term = pgTable(
  'term',
  {
    name: text('name', { enum: ['pool_fee', 'default_fee', 'user_fee', 'newbee_cost', 'newbee_adjust'] }).notNull(),
    /** 0: all users. */
    userId: integer('user_id').notNull().default(0),
    since: date('since').notNull(),
    value: doublePrecision('value'),
  },
  (t) => [
    primaryKey({ columns: [t.name, t.userId, t.since] }),
    check(
      'term_bounds',
      sql`${t.value} is null or case ${t.name}
        when 'newbee_adjust' then ${t.value} between -100 and 100
        when 'newbee_cost' then ${t.value} between 0 and 1
        else ${t.value} between 0 and 100 end`,
    ),
  ],
);

/** What a sub-account earned in a finished UTC day. */
export const earning = pgTable(
  'earning',
  {
    subAccountId: integer('sub_account_id')
      .notNull()
      .references(() => subAccount.id),
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
    /** The newcomer rule as applied; null: not applied. `poolPriceBtc`: the price it replaced, if it did. */
    newcomer: jsonb('newcomer').$type<{ adjustPercent: number; poolPriceBtc: number | null }>(),
    referralPercent: doublePrecision('referral_percent').notNull().default(0),
    status: text('status', { enum: ['final', 'adjusted'] })
      .notNull()
      .default('final'),
    closedAt: now('closed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.subAccountId, t.algorithm, t.day] }),
    check('earning_adds_up', sql`${t.grossSat} = ${t.feeSat} + ${t.netSat}`),
  ],
);

/** Corrections of earnings, append-only. */
export const earningAdjustment = pgTable(
  'earning_adjustment',
  {
    id: serial('id').primaryKey(),
    subAccountId: integer('sub_account_id').notNull(),
    algorithm: text('algorithm').notNull(),
    day: date('day').notNull(),
    grossSatBefore: sats('gross_sat_before').notNull(),
    grossSat: sats('gross_sat').notNull(),
    /** The day's work that is paid after it, as a sum of difficulties; what is counted beyond is late work. */
    work: doublePrecision('work').notNull(),
    note: text('note').notNull(),
    /** The admin who made it. */
    userId: integer('user_id'),
    createdAt: now('created_at'),
  },
  (t) => [
    index('earning_adjustment_day_index').on(t.subAccountId, t.algorithm, t.day),
    check('earning_adjustment_amount', sql`${t.grossSat} >= 0`),
  ],
);

/**
 * Append-only (a trigger refuses UPDATE and DELETE). Each statement's rows sum to zero over the parties: `mined` (value
 * of the work, negative), `account` and `referrer` (what they are owed), `pool` (its fees), `chain` (what was paid
 * out). The balance of a sub-account or referrer is the sum of its rows; a trigger keeps it in `balance`.
 */
export const ledger = pgTable(
  'ledger',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    subAccountId: integer('sub_account_id').references(() => subAccount.id),
    party: text('party', { enum: ['account', 'referrer', 'pool', 'mined', 'chain'] })
      .notNull()
      .default('account'),
    /** The referrer. */
    userId: integer('user_id').references(() => appUser.id),
    kind: text('kind', { enum: ['earning', 'earning_reversal', 'payout', 'payout_reversal', 'bonus'] }).notNull(),
    amountSat: sats('amount_sat').notNull(),
    /**
     * What the row is about: `SHA256_ASICBOOST/2026-11-19`, a payment id; rows of other parties start with the account;
     * `#2` for a second time.
     */
    ref: text('ref').notNull(),
    at: now('at'),
  },
  (t) => [
    uniqueIndex().on(t.subAccountId, t.kind, t.ref),
    uniqueIndex('ledger_others')
      .on(t.party, t.kind, t.ref)
      .where(sql`${t.party} <> 'account'`),
    index()
      .on(t.userId)
      .where(sql`${t.userId} is not null`),
    index().using('brin', t.at),
    check(
      'ledger_party',
      sql`${t.party} in ('account', 'referrer', 'pool', 'mined', 'chain')
        and (${t.party} = 'account') = (${t.subAccountId} is not null)
        and (${t.party} = 'referrer') = (${t.userId} is not null)`,
    ),
  ],
);

/** Sums of the ledger's rows by owner, kept by the trigger `ledger_balances`: never written by hand. */
export const balance = pgTable(
  'balance',
  {
    party: text('party', { enum: ['account', 'referrer'] }).notNull(),
    /** A sub-account's id, or a referring user's. */
    ownerId: integer('owner_id').notNull(),
    owedSat: sats('owed_sat').notNull(),
    paidSat: sats('paid_sat').notNull(),
    payouts: integer('payouts').notNull(),
  },
  (t) => [
    primaryKey({ name: 'balance_pk', columns: [t.party, t.ownerId] }),
    check('balance_party', sql`${t.party} in ('account', 'referrer')`),
  ],
);

/** Responses of money writes, so that a repeated request gets the same one. Kept for a day. */
export const idempotency = pgTable(
  'idempotency',
  {
    userId: integer('user_id').notNull(),
    key: text('key').notNull(),
    bodyHash: text('body_hash').notNull(),
    answer: jsonb('answer'),
    createdAt: now('created_at'),
  },
  (t) => [primaryKey({ columns: [t.userId, t.key] })],
);

export const payment = pgTable(
  'payment',
  {
    id: serial('id').primaryKey(),
    subAccountId: integer('sub_account_id')
      .notNull()
      .references(() => subAccount.id),
    periodFrom: date('period_from').notNull(),
    periodTo: date('period_to').notNull(),
    amountSat: sats('amount_sat').notNull(),
    networkFeeSat: sats('network_fee_sat').notNull().default(0),
    /** What was given to a node and then marked as failed; it counts for the bound of a run (payouts/cool-down.ts). */
    givenSat: sats('given_sat').notNull().default(0),
    address: text('address'),
    txid: text('txid'),
    status: text('status', { enum: ['pending', 'queued', 'unknown', 'sent', 'confirmed', 'failed', 'cancelled'] })
      .notNull()
      .default('pending'),
    reason: text('reason'),
    trigger: text('trigger', { enum: ['auto', 'manual', 'referral', 'bonus'] })
      .notNull()
      .default('auto'),
    note: text('note'),
    createdAt: now('created_at'),
    sentAt: time('sent_at'),
    confirmedAt: time('confirmed_at'),
    usdAtSend: doublePrecision('usd_at_send'),
    /** What payers know it by: never of another payment, also when the database is restored. A trigger keeps it. */
    key: uuid('key').notNull().defaultRandom(),
    /** Increased by a trigger with every change: a change names the version it has seen. */
    version: integer('version').notNull().default(1),
    /** The admin who approved it last. */
    queuedBy: integer('queued_by'),
    /** When it was approved last. */
    queuedAt: time('queued_at'),
  },
  (t) => [
    index('payment_status_id_index').on(t.status, t.id),
    // One open payment per sub-account, and one of its referral money.
    uniqueIndex('payment_one_open')
      .on(t.subAccountId, sql`(${t.trigger} = 'referral')`)
      .where(sql`${t.status} in ('pending', 'queued', 'unknown')`),
    uniqueIndex('payment_key_index').on(t.key),
    index('payment_sub_account_id_id_index').on(t.subAccountId, t.id),
    index().on(t.queuedAt),
    index().on(t.address),
    index()
      .on(t.txid)
      .where(sql`${t.txid} is not null`),
    check('payment_amount', sql`${t.amountSat} > 0`),
    check('payment_txid', sql`${t.status} not in ('sent', 'confirmed') or ${t.txid} is not null`),
    check('payment_txid_form', sql`${t.txid} is null or ${t.txid} ~ '^[0-9a-f]{64}$'`),
  ],
);
