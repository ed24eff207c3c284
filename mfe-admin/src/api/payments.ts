/** Payments of all users: the list, and changes of their status, one or many, all or none. */
import type { Answer, ApiClient, CallOptions } from '@pool/shared';
import { allPages } from '@pool/shared/pages';
import { useMutation, useQueryClient } from '@pool/shared/query';
import { useApi, useServiceQuery } from '@pool/shared/remote';
import { useFormMutation, type OnSuccess } from '@pool/shared/ui/form';
import { useList } from './use-list';

export type AdminPayment = Answer<'GET /getPayments/'>['rows'][number];
export type Status = AdminPayment['status'];
export type PaymentMove = CallOptions<'PUT /bulkUpdatePayments'>['body']['payments'][number];
/** `kind`: all payments, or those of referral money. */
export type PaymentFilter = { kind: 'all' | 'referral'; status?: Status; search?: string; order?: 'newest' | 'oldest' };

const LIST = ['payments', 'admin'] as const;
const SETTINGS = ['admin', 'payment-settings'] as const;
const page =
  (api: ApiClient, { kind, ...filter }: PaymentFilter) =>
  ({ signal, ...part }: { cursor?: string; limit: number; signal?: AbortSignal }) =>
    api(kind === 'referral' ? 'GET /admin/referralPayments' : 'GET /getPayments/', {
      query: { ...filter, ...part },
      signal,
    });

export const usePayments = (filter: PaymentFilter) =>
  useList([...LIST, filter], (api, part) => page(api, filter)(part));

const allPayments = (api: ApiClient, filter: PaymentFilter): Promise<AdminPayment[]> => allPages(page(api, filter));

/** Every payment that can be marked as sent now. */
export const useSendable = () =>
  useServiceQuery(({ api }) => ({
    queryKey: [...LIST, 'sendable'],
    queryFn: async () => [
      ...(await allPayments(api, { kind: 'all', status: 'queued' })),
      ...(await allPayments(api, { kind: 'all', status: 'unknown' })),
    ],
  }));

export const useMovePayments = (then: OnSuccess<Answer<'PUT /bulkUpdatePayments'>>) =>
  useFormMutation({
    send: (api, payments: PaymentMove[]) => api('PUT /bulkUpdatePayments', { body: { payments } }),
    reads: [LIST, SETTINGS],
    ...then,
  });

export const useCalculationPreview = () =>
  useServiceQuery(({ api }) => ({
    queryKey: ['admin', 'calculation'],
    queryFn: ({ signal }) => api('GET /admin/calculation', { signal }),
    // Always what it would do now.
    staleTime: 0,
  }));

export const useCalculate = (then: OnSuccess<Answer<'POST /calculatePayments/'>>) =>
  useFormMutation({ send: (api) => api('POST /calculatePayments/', { body: {} }), reads: [LIST, ['admin']], ...then });

/** Cancels the payments of the run that waits. */
export const useStopRun = (then: OnSuccess<Answer<'POST /admin/stopPayoutRun'>>) =>
  useFormMutation({ send: (api) => api('POST /admin/stopPayoutRun', {}), reads: [LIST, SETTINGS], ...then });

export const usePaymentSettings = () =>
  useServiceQuery(({ api }) => ({
    queryKey: SETTINGS,
    queryFn: ({ signal }) => api('GET /admin/paymentSettings', { signal }),
  }));
export function useSetPaymentSettings() {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (fourEyes: boolean) => api('PUT /admin/paymentSettings', { body: { fourEyes } }),
    onSuccess: (settings) => queryClient.setQueryData(SETTINGS, settings),
  });
}
