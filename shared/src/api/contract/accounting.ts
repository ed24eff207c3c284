import { z } from 'zod';
import { MAX_EARNING_SAT, priceBounds } from '../../domain';
import * as m from '../money-schemas';
import * as s from '../schemas';
import { ADMIN, reads, userCall, watcherCall } from './endpoint';

const term = (summary: string) => userCall(reads('payments'), { summary, response: m.term });
const setTerm = (summary: string, value: z.ZodType<number>) =>
  userCall(ADMIN, { sudo: true, summary, body: z.strictObject({ value }), response: m.term });

const newcomerPrice = priceBounds('SHA256_ASICBOOST');
/** Values of the pool's terms: percent, BTC per PH/s per day (0: off), percent. */
export const TERM_VALUES = {
  pool_fee: z.number().min(0).max(100),
  newbee_cost: z
    .number()
    .min(0, { abort: true })
    .max(newcomerPrice.most)
    .refine((price) => price === 0 || price >= newcomerPrice.least, `is neither 0 nor at least ${newcomerPrice.least}`),
  newbee_adjust: z.number().min(-100).max(100),
};

/** Prices, fees, the newcomer rule and corrections. Changed fees and terms hold from the next UTC day on. */
export const accounting = {
  'GET /newbeeCost/': term('Price of the work of accounts in their first 30 days, BTC per PH/s per day; 0 is off'),
  'PUT /newbeeCost/': setTerm(
    "Set the price of newcomers' work, from the next UTC day on; 0 is off",
    TERM_VALUES.newbee_cost,
  ),
  'GET /newbeeAdjust/': term('Percent added to the measured hashrate of accounts in their first 30 days'),
  'PUT /newbeeAdjust/': setTerm(
    "Set the percent added to newcomers' hashrate, from the next UTC day on",
    TERM_VALUES.newbee_adjust,
  ),
  'GET /poolFee': term('Pool fee in percent, for users without one of their own'),
  'PUT /poolFee': setTerm('Set the pool fee, from the next UTC day on', TERM_VALUES.pool_fee),
  'GET /prices': userCall(ADMIN, {
    summary: 'List the prices of the last 60 days, newest first',
    response: z.array(m.dayPrice),
  }),
  'PUT /prices': userCall(ADMIN, {
    sudo: true,
    summary: 'Set the price of a day that is not closed; the default is today',
    body: z.strictObject({
      day: s.day.optional(),
      algorithm: s.algorithm,
      priceBtc: z.number().positive().max(1000),
      btcPriceUsd: z.number().min(100).max(10_000_000),
    }),
    response: m.dayPrice,
  }),
  'GET /earnings/{day}/math': watcherCall(reads('payments'), 'earnings', {
    summary: 'Get how the earning of a closed day was computed',
    params: z.strictObject({ day: s.day }),
    query: z.strictObject({ accountName: s.accountName.optional(), algorithm: s.algorithm.optional() }),
    response: m.earningMath,
  }),
  'GET /earnings/{day}/changes': watcherCall(reads('payments'), 'earnings', {
    summary: 'Get what made a closed day differ from the day before and from the week before, in satoshis per cause',
    params: z.strictObject({ day: s.day }),
    query: z.strictObject({ accountName: s.accountOrAll.optional(), algorithm: s.algorithm.optional() }),
    response: m.earningChanges,
  }),
  'PUT /earnings/{day}': userCall(ADMIN, {
    sudo: true,
    summary:
      'Correct an earning: reverse its ledger entries and book the new gross amount. `expectedGrossSat` is the current one. Late work stays listed unless `paidWork` (the `work` of the list) says that the amount pays it; it makes the earning where all work of the day was late. Accepts an Idempotency-Key',
    params: z.strictObject({ day: s.day }),
    body: z.strictObject({
      account: s.accountName,
      algorithm: s.algorithm,
      grossSat: z.int().min(0).max(MAX_EARNING_SAT),
      expectedGrossSat: s.sats,
      paidWork: z.number().min(0).optional(),
      note: m.note,
    }),
    response: m.earningMath,
  }),
};
