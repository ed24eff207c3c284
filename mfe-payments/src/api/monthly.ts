import { useApi, useSession } from '@pool/shared/remote';
import { queryOptions, useQuery } from '@pool/shared/query';
import type { ApiClient } from '@pool/shared';

const monthlyQuery = (api: ApiClient, account: string) =>
  queryOptions({
    queryKey: ['payments', 'monthly', { account }],
    queryFn: ({ signal }) => api('GET /earnings/monthly', { query: { accountName: account }, signal }),
  });

/** Net earnings of 12 months, the current month last. */
export const useMonthly = () => useQuery(monthlyQuery(useApi(), useSession().account));
