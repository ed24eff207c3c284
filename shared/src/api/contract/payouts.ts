import { z } from 'zod';
import * as m from '../money-schemas';
import * as s from '../schemas';
import { ADMIN, manages, reads, cursorPage, page, userCall, watcherCall } from './endpoint';

const one = z.strictObject({ id: s.whole(1, 2_147_483_647) });
const change = {
  sudo: true,
  waits: { for: ['admin', 'time'], shows: 'payment_failed' },
  summary: 'Change the status of a payment; accepts an Idempotency-Key',
  params: one,
  body: m.paymentChange,
  response: m.adminPayment,
} as const;

/** `search`: the beginning of a name, a payment's id, an address or a transaction id. `order`: by creation. */
export const paymentFilter = {
  id: s.whole(1, 2_147_483_647).optional(),
  status: z.enum(s.PAYMENT_STATUSES).optional(),
  account: s.accountName.optional(),
  search: z.string().trim().min(1).max(128).optional(),
  from: s.day.optional(),
  to: s.day.optional(),
  order: z.enum(['newest', 'oldest']).default('newest'),
  ...cursorPage,
};
export const paymentPage = page(m.adminPayment).extend({ totalSat: s.sats, sums: m.paymentSums });

/** Payouts: settings, payments, and changes of their status. */
export const payouts = {
  'GET /payoutSettings': userCall(reads('payments'), {
    summary: 'Get the payout threshold and pause of a sub-account',
    query: z.strictObject({ accountName: s.accountName.optional() }),
    response: m.payoutSettings,
  }),
  'PUT /payoutSettings': userCall(manages('wallet'), {
    sudo: true,
    summary: 'Set the payout threshold and pause of an own sub-account',
    query: z.strictObject({ accountName: s.accountName.optional() }),
    body: z.strictObject({ thresholdSat: m.thresholdSat.optional(), paused: z.boolean().optional() }),
    response: m.payoutSettings,
  }),
  'GET /getSubAccountPayments/': watcherCall(reads('payments'), 'earnings', {
    summary: 'List the payments of a sub-account, newest first',
    query: z.strictObject({
      subAccountName: s.accountName.optional(),
      from: s.day.optional(),
      to: s.day.optional(),
      ...cursorPage,
    }),
    response: page(s.payment),
  }),
  'GET /getPayments/': userCall(ADMIN, {
    summary: 'List the payments of all users; `totalSat` is the sum of all matching ones, `sums` those of each status',
    query: z.strictObject({ trigger: s.payment.shape.trigger.optional(), ...paymentFilter }),
    response: paymentPage,
  }),
  'PUT /payments/': userCall(ADMIN, {
    sudo: true,
    waits: { for: ['admin', 'time'], shows: 'payment_failed' },
    summary: 'Change the status of a payment; accepts an Idempotency-Key',
    query: one,
    body: m.paymentChange,
    response: m.adminPayment,
  }),
  'POST /paymentsHistory/{id}': userCall(ADMIN, {
    ...change,
    summary: 'Approve a payment, or with a body as PUT does; accepts an Idempotency-Key',
    body: z.union([m.paymentChange, z.strictObject({ status: z.never().optional() })]),
  }),
  'PUT /paymentsHistory/{id}': userCall(ADMIN, change),
  'PUT /bulkUpdatePayments': userCall(ADMIN, {
    sudo: true,
    waits: { for: ['admin', 'time'], shows: 'payment_failed' },
    summary: 'Change the status of several payments, all or none; accepts an Idempotency-Key',
    body: z.strictObject({ payments: z.array(m.paymentChangeOf).min(1).max(500) }),
    response: z.object({ changed: z.int(), totalSat: s.sats }),
  }),
  'POST /admin/stopPayoutRun': userCall(ADMIN, {
    summary: 'Cancel the approved payments of the payout run that waits, all or none; accepts an Idempotency-Key',
    response: z.object({ changed: z.int(), totalSat: s.sats }),
  }),
};
