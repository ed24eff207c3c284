/** Unpaid balance, next payout, yesterday and today. */
import { queryOptions, useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';
import type { RemoteServices } from '@pool/shared';
import { SLOW_POLL_MS } from './poll';

export const paymentQuery = ({ api, session: { account } }: RemoteServices) =>
  queryOptions({
    queryKey: ['payments', 'balance', { account }],
    queryFn: ({ signal }) => api('GET /payment/', { query: { currentAccount: account }, signal }),
    refetchInterval: SLOW_POLL_MS,
  });

export const usePayment = () => useQuery(paymentQuery(useServices()));
