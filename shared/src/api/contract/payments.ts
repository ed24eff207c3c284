import { z } from 'zod';
import * as m from '../money-schemas';
import * as s from '../schemas';
import { ADMIN, reads, cursorPage, page, userCall, watcherCall } from './endpoint';

/** Earnings, payouts, balances. */
export const payments = {
  'GET /payment/': watcherCall(reads('payments'), 'earnings', {
    summary: 'Get the balance and the next payout of a sub-account, or the balance of all together',
    query: z.strictObject({ currentAccount: s.accountOrAll.optional() }),
    response: z.object({
      unpaidSat: s.sats,
      /** The sum where it is of all together: each sub-account is paid by its own. */
      thresholdSat: s.sats,
      nextPayout: z.object({
        at: s.isoTime.nullable(),
        reason: z.enum(['below_threshold', 'no_address', 'address_hold', 'paused', 'review']).nullable(),
        /** A lower threshold that pays within a week, and at least a week earlier. */
        sooner: z.object({ thresholdSat: s.sats, at: s.isoTime }).nullable(),
      }),
      yesterdaySat: s.sats,
      /** Yesterday is not closed yet. */
      yesterdayEstimated: z.boolean(),
      /** Dollars for one bitcoin on that day. */
      yesterdayBtcPriceUsd: z.number(),
      todayEstimateSat: s.sats,
      todayBtcPriceUsd: z.number(),
      /** Mean net earnings of a finished day, lately; 0: nothing is earned. */
      paceSat: s.sats,
      paidTotalSat: s.sats,
      payouts: z.int(),
      /** Net earnings of the last 14 finished days, oldest first; yesterday's may be an estimate. */
      lastDaysSat: z.array(s.sats),
      last: s.payment.nullable(),
    }),
  }),
  'GET /paymentsHistory/': watcherCall(reads('payments'), 'earnings', {
    summary: 'List earnings per UTC day, or payouts',
    query: z.strictObject({
      accountName: s.accountOrAll.optional(),
      from: s.day.optional(),
      to: s.day.optional(),
      kind: z.enum(['earnings', 'payouts']).default('earnings'),
      /** Id, transaction or address; of payouts. */
      search: z.string().trim().min(1).max(100).optional(),
      ...cursorPage,
    }),
    response: z.union([
      page(s.earning).extend({
        kind: z.literal('earnings'),
        /** Sums of all closed days of the range, not only of this page's. `netUsd`: each day at its price. */
        sums: z.object({
          days: z.int(),
          grossSat: s.sats,
          feeSat: s.sats,
          referralSat: s.sats,
          netSat: s.sats,
          netUsd: z.number(),
        }),
      }),
      page(s.payment).extend({
        kind: z.literal('payouts'),
        /** Address of a transaction at the operator's block explorer, with `{txid}`. */
        explorer: z.string().nullable(),
      }),
    ]),
  }),
  'GET /earnings/monthly': watcherCall(reads('payments'), 'earnings', {
    summary: 'List the net earnings of the last 12 months, and what was paid out in each',
    query: z.strictObject({ accountName: s.accountOrAll.optional() }),
    /** `paidSat`: payouts of earnings that were sent in it. */
    response: z.array(z.object({ month: z.string(), netSat: s.sats, paidSat: s.sats.optional() })),
  }),
  'GET /getSubAccountBalance/': watcherCall(reads('payments'), 'earnings', {
    summary: 'Get the balance of a sub-account',
    query: z.strictObject({ subAccountName: s.accountName.optional() }),
    response: z.object({ unpaidSat: s.sats, paidSat: s.sats, heldSat: s.sats }),
  }),
  'POST /calculatePayments/': userCall(ADMIN, {
    sudo: true,
    summary: 'Close finished days; closing a day again gives the same sums',
    body: z.strictObject({ day: s.day.optional() }),
    response: m.closed,
  }),
};
