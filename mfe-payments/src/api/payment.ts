import { useApi, useSession } from '@pool/shared/remote';
import { queryOptions, useQuery } from '@pool/shared/query';
import type { Answer, ApiClient } from '@pool/shared';

export type Balance = Answer<'GET /payment/'>;

/** Events refresh it sooner; today's estimate also moves without one. */
const BALANCE_EVERY_S = 300;

export const balanceQuery = (api: ApiClient, account: string) =>
  queryOptions({
    queryKey: ['payments', 'balance', { account }],
    queryFn: ({ signal }) => api('GET /payment/', { query: { currentAccount: account }, signal }),
    refetchInterval: BALANCE_EVERY_S * 1000,
  });

/** Balance and next payout of the sub-account the app bar shows. */
export const useBalance = () => useQuery(balanceQuery(useApi(), useSession().account));
