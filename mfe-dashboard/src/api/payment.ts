/** Unpaid balance, next payout, yesterday and today. */
import { queryOptions, useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';
import type { RemoteServices } from '@pool/shared';

export const paymentQuery = ({ api, session: { account } }: RemoteServices) =>
  queryOptions({
    queryKey: ['payments', 'balance', { account }],
    queryFn: ({ signal }) => api('GET /payment/', { query: { currentAccount: account }, signal }),
  });

export const usePayment = () => useQuery(paymentQuery(useServices()));
