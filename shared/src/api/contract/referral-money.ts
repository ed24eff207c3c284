import { z } from 'zod';
import * as m from '../money-schemas';
import * as s from '../schemas';
import { ADMIN, manages, reads, cursorPage, page, userCall } from './endpoint';
import { paymentFilter, paymentPage } from './payouts';

const wallet = z.object({
  walletAddress: z.string().nullable(),
  hold: z.object({ until: s.isoTime, oldAddress: z.string().nullable() }).optional(),
});

/** Referral accruals and their payments. */
export const referralMoney = {
  'GET /referral/accruals': userCall(reads('referral'), {
    summary: 'List my daily referral earnings, newest day first, with masked names',
    query: z.strictObject(cursorPage),
    response: page(
      z.object({
        day: s.day,
        name: z.string(),
        algorithm: s.algorithm,
        baseFeeSat: s.sats,
        ratePercent: z.number(),
        amountSat: s.sats,
        status: z.enum(['accrued', 'payable', 'paid', 'reversed']),
      }),
    ),
  }),
  'GET /referral/payments': userCall(reads('referral'), {
    summary: 'List my referral payments, newest first',
    query: z.strictObject(cursorPage),
    response: page(s.payment),
  }),
  'GET /referral/wallet': userCall(reads('referral'), {
    summary: 'Get the payout address of my referral earnings',
    response: wallet,
  }),
  'PUT /referral/wallet': userCall(manages('referral'), {
    sudo: 'some',
    waits: { for: ['owner', 'time'], shows: 'referral_address' },
    summary:
      'Set the payout address of my referral earnings; a changed address is on hold first, and setting the old one again cancels the change',
    body: z.strictObject({ walletAddress: z.string().min(1).max(128) }),
    response: wallet,
  }),
  'GET /admin/referralPayments': userCall(ADMIN, {
    summary: 'List the referral payments of all users',
    query: z.strictObject(paymentFilter),
    response: paymentPage,
  }),
  'PUT /admin/referralPayments': userCall(ADMIN, {
    sudo: true,
    waits: { for: ['admin', 'time'], shows: 'payment_failed' },
    summary: 'Change the status of a referral payment; accepts an Idempotency-Key',
    query: z.strictObject({ id: s.whole(1, 2_147_483_647) }),
    body: m.paymentChange,
    response: m.adminPayment,
  }),
};
