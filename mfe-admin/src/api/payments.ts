/** Payments of all users: the list, and changes of their status, one or many, all or none. */
import type { Answer, ApiClient, CallOptions } from '@pool/shared';
import { allPages } from '@pool/shared/pages';
import { useFormMutation, type OnSuccess } from '@pool/shared/ui/form';
import { useList, useRead } from './reads';

export type AdminPayment = Answer<'GET /getPayments/'>['rows'][number];
export type Status = AdminPayment['status'];
export type PaymentMove = CallOptions<'PUT /bulkUpdatePayments'>['body']['payments'][number];
/** `kind`: all payments, or those of referral money. */
export type PaymentFilter = { kind: 'all' | 'referral'; status?: Status; search?: string; order?: 'newest' | 'oldest' };

export const LIST = ['payments', 'admin'] as const;
export const SETTINGS = ['admin', 'payment-settings'] as const;
const page =
  (api: ApiClient, { kind, ...filter }: PaymentFilter) =>
  ({ signal, ...part }: { cursor?: string; limit: number; signal?: AbortSignal }) =>
    api(kind === 'referral' ? 'GET /admin/referralPayments' : 'GET /getPayments/', {
      query: { ...filter, ...part },
      signal,
    });

export const usePayments = (filter: PaymentFilter) =>
  useList([...LIST, filter], (api, part) => page(api, filter)(part));

/** Every payment that can be marked as sent now. */
export const useSendable = () =>
  useRead([...LIST, 'sendable'], async (api) => [
    ...(await allPages(page(api, { kind: 'all', status: 'queued' }))),
    ...(await allPages(page(api, { kind: 'all', status: 'unknown' }))),
  ]);

export const useMovePayments = (then: OnSuccess<Answer<'PUT /bulkUpdatePayments'>>) =>
  useFormMutation({
    send: (api, payments: PaymentMove[]) => api('PUT /bulkUpdatePayments', { body: { payments } }),
    reads: [LIST, SETTINGS, ['waiting']],
    ...then,
  });

export const usePaymentSettings = () =>
  useRead(SETTINGS, (api, signal) => api('GET /admin/paymentSettings', { signal }));
