import { useApi, useSession } from '@pool/shared/remote';
import { queryOptions, useQuery } from '@pool/shared/query';
import type { Answer, ApiClient } from '@pool/shared';

export type Balance = Answer<'GET /payment/'>;

export const balanceQuery = (api: ApiClient, account: string) => queryOptions({
  queryKey: ['payments', 'balance', { account }],
  queryFn: ({ signal }) => api('GET /payment/', { query: { currentAccount: account }, signal }),
});

/** Balance and next payout of the sub-account the app bar shows. */
export const useBalance = () => useQuery(balanceQuery(useApi(), useSession().account));
