import { useApi } from '@pool/shared/remote';
import { queryOptions, useQuery } from '@pool/shared/query';
import type { ApiClient } from '@pool/shared';

/** The most that one answer contains. */
const LIMIT = 500;

const paymentsQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['referral', 'payments'],
    queryFn: ({ signal }) => api('GET /referral/payments', { query: { limit: LIMIT }, signal }),
    select: ({ rows }) => rows,
  });

/** Payments of referral earnings, newest first, at most 500. */
export const useReferralPayments = () => useQuery(paymentsQuery(useApi()));
