/** Schemas of the admins' money calls: payments and their changes, terms, prices, corrections. */
import { z } from 'zod';
import * as s from './schemas';

const id = z.int().min(1).max(2_147_483_647);
/** A note written by an admin: one line of text. */
export const note = z
  .string()
  .min(1)
  .max(300)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u);
/** Bitcoin transaction id: 64 lower-case hexadecimal digits. */
const txid = z.string().regex(/^[0-9a-f]{64}$/);

/** `version`: increased by each change; a change of the payment must name the version it starts from. */
export const adminPayment = s.payment.extend({
  userName: z.string(),
  note: z.string().nullable(),
  version: z.int(),
});

const version = z.int().min(1).max(2_147_483_647);
const changes = {
  queued: z.strictObject({ status: z.literal('queued'), version, note: note.optional() }),
  unknown: z.strictObject({ status: z.literal('unknown'), version, note: note.optional() }),
  sent: z.strictObject({
    status: z.literal('sent'),
    version,
    txid,
    networkFeeSat: z.int().min(0).max(100_000_000).optional(),
    usdAtSend: z.number().min(1).max(1e9).optional(),
  }),
  confirmed: z.strictObject({ status: z.literal('confirmed'), version }),
  failed: z.strictObject({ status: z.literal('failed'), version, note }),
  cancelled: z.strictObject({ status: z.literal('cancelled'), version, note: note.optional() }),
};
/**
 * A change of status. `version`: the version the caller has read; a different current version gives 409. `failed` >
 * `queued` needs a new note. `unknown`: given to a bitcoin node, result not known yet.
 */
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
/**
 * `since`: the first UTC day with this value; null when no admin has set it. `next`: a value that is set but valid
 * later.
 */
export const term = termValue.extend({ next: termValue.nullable() });
/**
 * `priceBtc`: BTC per PH/s (SHA256) or TH/s (SCRYPT) per day. `knownAt`: when the price was set or read; a day without
 * a price uses the last known.
 */
export const dayPrice = z.object({
  day: s.day,
  algorithm: s.algorithm,
  priceBtc: z.number(),
  btcPriceUsd: z.number(),
  source: z.string(),
  knownAt: s.isoTime,
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
