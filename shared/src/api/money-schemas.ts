/** Schemas of the admins' money calls: payments and their changes, terms, prices, corrections. */
import { z } from 'zod';
import * as s from './schemas';

const id = z.int().min(1).max(2_147_483_647);
/** A note written by an admin: one line of text. */
export const note = z.string().min(1).max(300).regex(s.LINE);
/** Bitcoin transaction id: 64 lower-case hexadecimal digits. */
const txid = z.string().regex(/^[0-9a-f]{64}$/);

/** `version`: increased by each change; a change of the payment must name the version it starts from. */
export const adminPayment = s.payment.extend({
  userName: z.string(),
  note: z.string().nullable(),
  version: z.int(),
  /** What a payer stores it by: never of another payment, also when the pool is restored from a backup. */
  key: z.uuid(),
  /** The admin who approved it last. */
  approvedBy: z.string().nullable(),
  /** End of the hold of the payee's address, while it lasts. */
  heldUntil: s.isoTime.nullable(),
});
const sum = z.object({ count: z.int(), totalSat: s.sats });
/** Number and sum of payments by status; one without payments is left out. */
export const paymentSums = z.array(sum.extend({ status: z.enum(s.PAYMENT_STATUSES) }));

/** `fourEyes`: who approved does not send; `offAskedBy`: wants that ended; `waiting`: above the operator's bound. */
export const paymentSettings = z.object({
  fourEyes: z.boolean(),
  offAskedBy: z.string().nullable(),
  waiting: sum.extend({ until: s.isoTime }).nullable(),
});
export type PaymentSettings = z.infer<typeof paymentSettings>;

/** What closing the finished days would book, and the payments it would open. */
/**
 * Why a day is not closed without an admin's word: the figures of a sub-account (`name`) or of the pool are not
 * plausible, miners were credited for more than an upstream (`name`) accepted, or the price is older than two days
 * (`name`: the day it was set for, null: never).
 */
const dayFinding = z.object({
  kind: z.enum(['account', 'pool', 'upstream', 'price']),
  algorithm: s.algorithm,
  name: z.string().nullable(),
  /** Mean of the day, H/s; of an upstream what was credited. */
  hashrate: z.number(),
  /** Highest mean of the days before, null without any; of an upstream what it counted. */
  usual: z.number().nullable(),
  /** Whether the upstream itself said what it counted; otherwise that is an estimate. */
  asCounted: z.boolean().optional(),
  /** What it is worth at the day's price; of an upstream the difference. */
  grossSat: s.sats,
  /** False: more than any sub-account can have earned. It can only be withheld. */
  payable: z.boolean(),
});
/** A finished day that an admin decides about. `tag`: names its findings, for the decision. */
export const waitingDay = z.object({ day: s.day, tag: z.string(), findings: z.array(dayFinding) });

export const calculation = z.object({
  days: z.array(
    z.object({
      day: s.day,
      accounts: z.int(),
      grossSat: s.sats,
      feeSat: s.sats,
      referralSat: s.sats,
      netSat: s.sats,
    }),
  ),
  payments: sum,
  /** Shares that are not counted yet; their days stay open. */
  uncounted: z.array(z.object({ day: s.day, why: z.enum(['waiting', 'refused', 'node']), shares: z.int() })),
  /** The day that stays open for an admin's decision; those after it wait. */
  waiting: waitingDay.nullable(),
});

/** Sums of the days that were closed, and the payments that this opened. */
export const closed = z.object({
  days: z.int(),
  accounts: z.int(),
  grossSat: s.sats,
  netSat: s.sats,
  payments: z.int(),
});

/** Difficulty of a UTC day. `accepted`: about what the upstream pays for; `counted`: what it says itself, or null. */
export const upstreamDay = z.object({
  day: s.day,
  algorithm: s.algorithm,
  upstream: z.string(),
  accepted: z.number(),
  credited: z.number(),
  acceptedShares: z.int(),
  creditedShares: z.int(),
  counted: z.number().nullable(),
});

/** A correction of an earning. `last`: no later one exists, so it can be reversed. */
export const adjustment = z.object({
  id: z.int(),
  at: s.isoTime,
  account: z.string(),
  algorithm: s.algorithm,
  day: s.day,
  grossSatBefore: s.sats,
  grossSat: s.sats,
  note: z.string(),
  by: z.string().nullable(),
  last: z.boolean(),
});
/** Work counted after its day was closed. `rightSat`: the gross with all of it. */
export const lateWork = z.object({
  day: s.day,
  account: z.string(),
  algorithm: s.algorithm,
  grossSat: s.sats,
  rightSat: s.sats,
  /** All counted work of the day, a sum of difficulties: `paidWork` of the correction that pays it. */
  work: z.number(),
});

export const BONUS_STATUSES = ['new', 'granted', 'refused'] as const;
/** A request for the welcome bonus. `account`: who got it; of a new one the user with its e-mail address, if any. */
export const bonusRequest = z.object({
  id: z.int(),
  at: s.isoTime,
  email: z.string(),
  source: z.string(),
  status: z.enum(BONUS_STATUSES),
  account: z.string().nullable(),
  amountSat: s.sats.nullable(),
  note: z.string().nullable(),
  by: z.string().nullable(),
  handledAt: s.isoTime.nullable(),
});
/** Upper limit of one bonus: 0.01 BTC. */
const MAX_BONUS_SAT = 1_000_000;
export const bonusDecision = z.discriminatedUnion('status', [
  z.strictObject({
    status: z.literal('granted'),
    account: s.accountName,
    amountSat: z.int().min(1).max(MAX_BONUS_SAT),
    note: note.optional(),
  }),
  z.strictObject({ status: z.literal('refused'), note }),
]);

const version = z.int().min(1).max(2_147_483_647);
const changes = {
  queued: z.strictObject({ status: z.literal('queued'), version, note: note.optional() }),
  unknown: z.strictObject({ status: z.literal('unknown'), version, note: note.optional() }),
  sent: z.strictObject({
    status: z.literal('sent'),
    version,
    txid,
    /** The wrong id of a payment that is sent already: only then it is sent again, with another id and nothing else. */
    replaces: txid.optional(),
    networkFeeSat: z.int().min(0).max(100_000_000).optional(),
    usdAtSend: z.number().min(1).max(1e9).optional(),
  }),
  confirmed: z.strictObject({ status: z.literal('confirmed'), version }),
  failed: z.strictObject({ status: z.literal('failed'), version, note }),
  cancelled: z.strictObject({ status: z.literal('cancelled'), version, note: note.optional() }),
};
/** A change of status; a `version` that is not the current one gives 409. `failed` > `queued` needs a new note. */
export const paymentChange = z.discriminatedUnion('status', [
  changes.queued,
  changes.unknown,
  changes.sent,
  changes.confirmed,
  changes.failed,
  changes.cancelled,
]);
export const paymentChangeOf = z.discriminatedUnion('status', [
  changes.queued.extend({ id }),
  changes.unknown.extend({ id }),
  changes.sent.extend({ id }),
  changes.confirmed.extend({ id }),
  changes.failed.extend({ id }),
  changes.cancelled.extend({ id }),
]);

/** Payout threshold of a sub-account: 0.0001 to 100 BTC. */
export const thresholdSat = z.int().min(10_000).max(10_000_000_000);
export const payoutSettings = z.object({
  account: z.string(),
  thresholdSat: s.sats,
  paused: z.boolean(),
  leastSat: s.sats,
  mostSat: s.sats,
});

const termValue = z.object({ value: z.number(), since: s.day.nullable() });
/** `since`: the first UTC day with this value; null: no admin has set it. `next`: a value valid later. */
export const term = termValue.extend({ next: termValue.nullable() });
/** `priceBtc`: BTC per PH/s (SHA256) or TH/s (SCRYPT) per day. `knownAt`: when it was set or read. */
export const dayPrice = z.object({
  day: s.day,
  algorithm: s.algorithm,
  priceBtc: z.number(),
  btcPriceUsd: z.number(),
  source: z.string(),
  knownAt: s.isoTime,
});

/** Why a day earned more or less: hashrate, time mined, work accepted, price, fee, and corrections by an admin. */
export const CHANGE_CAUSES = ['hashrate', 'uptime', 'rejects', 'price', 'fee', 'correction'] as const;
/** `against`: the day before, and the mean of the `days` before it. The lines add up to `netSat - beforeSat`. */
export const earningChanges = z.object({
  day: s.day,
  netSat: s.sats,
  against: z.array(
    z.object({
      days: z.int(),
      beforeSat: s.sats,
      lines: z.array(z.object({ cause: z.enum(CHANGE_CAUSES), sats: s.sats })),
    }),
  ),
});

/** The computation of an earning, from work to satoshis. `steps`: the formula of each figure. */
export const earningMath = z.object({
  account: z.string(),
  algorithm: s.algorithm,
  day: s.day,
  status: z.enum(['final', 'adjusted']),
  closedAt: s.isoTime,
  from: s.unixSeconds,
  seconds: z.int(),
  shares: z.int(),
  /** Sum of the difficulties of accepted shares. */
  work: z.number(),
  hashesPerDifficulty: z.number(),
  measuredHashrate: z.number(),
  /** `poolPriceBtc`: the pool's price, when the newcomer price replaced it; else null. */
  newcomer: z.object({ adjustPercent: z.number(), poolPriceBtc: z.number().nullable() }).nullable(),
  meanHashrate: z.number(),
  priceBtc: z.number(),
  priceUnit: z.string(),
  priceUnitHs: z.number(),
  btcPriceUsd: z.number(),
  exactGrossSat: z.number(),
  computedGrossSat: s.sats,
  grossSat: s.sats,
  feePercent: z.number(),
  exactFeeSat: z.number(),
  feeSat: s.sats,
  referralPercent: z.number(),
  exactReferralSat: z.number(),
  referralSat: s.sats,
  poolSat: s.sats,
  netSat: s.sats,
  steps: z.array(z.string()),
  adjustments: z.array(z.object({ at: s.isoTime, grossSatBefore: s.sats, grossSat: s.sats, note: z.string() })),
});

export type AdminPayment = z.infer<typeof adminPayment>;
export type PaymentChange = z.infer<typeof paymentChange>;
export type PayoutSettings = z.infer<typeof payoutSettings>;
export type DayPrice = z.infer<typeof dayPrice>;
export type PaymentSums = z.infer<typeof paymentSums>;
export type DayFinding = z.infer<typeof dayFinding>;
export type WaitingDay = z.infer<typeof waitingDay>;
export type UpstreamDay = z.infer<typeof upstreamDay>;
export type ChangeCause = (typeof CHANGE_CAUSES)[number];
export type EarningChanges = z.infer<typeof earningChanges>;
export type Adjustment = z.infer<typeof adjustment>;
export type BonusRequest = z.infer<typeof bonusRequest>;
export type BonusDecision = z.infer<typeof bonusDecision>;
