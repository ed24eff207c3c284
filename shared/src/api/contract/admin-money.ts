import { z } from 'zod';
import * as m from '../money-schemas';
import { ADMIN, byId, cursorPage, page, userCall } from './endpoint';

const search = z.string().trim().min(1).max(64).optional();

/** What admins do with money beside payments: the calculation, corrections, bonus requests. */
export const adminMoney = {
  'GET /admin/paymentSettings': userCall(ADMIN, { summary: 'Get the rules of payments', response: m.paymentSettings }),
  'PUT /admin/paymentSettings': userCall(ADMIN, {
    sudo: true,
    waits: { for: ['admin'], shows: 'one_admin' },
    summary:
      'Set whether the admin who approved a payment may send it; to allow it, a second admin has to ask for it too',
    body: z.strictObject({ fourEyes: z.boolean() }),
    response: m.paymentSettings,
  }),
  'GET /admin/calculation': userCall(ADMIN, {
    summary: 'Preview of `POST /calculatePayments/`; nothing is booked',
    response: m.calculation,
  }),
  'GET /admin/adjustments': userCall(ADMIN, {
    summary: 'List the corrections of earnings, newest first',
    query: z.strictObject({ search, ...cursorPage }),
    response: page(m.adjustment),
  }),
  'GET /admin/lateWork': userCall(ADMIN, {
    summary: 'List work of the last 31 days that was counted after its day was closed',
    response: z.array(m.lateWork),
  }),
  'GET /admin/bonusRequests': userCall(ADMIN, {
    summary: 'List requests for the welcome bonus, newest first',
    query: z.strictObject({ status: z.enum(m.BONUS_STATUSES).optional(), search, ...cursorPage }),
    response: page(m.bonusRequest),
  }),
  'PUT /admin/bonusRequests': userCall(ADMIN, {
    sudo: true,
    summary: 'Grant a bonus, which is added to a balance, or refuse it; accepts an Idempotency-Key',
    query: byId,
    body: m.bonusDecision,
    response: m.bonusRequest,
  }),
};
