import { useApi } from '@pool/shared/remote';
import { queryOptions, useQuery } from '@pool/shared/query';
import type { ApiClient } from '@pool/shared';

const statsQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['referral', 'stats'],
    queryFn: ({ signal }) => api('GET /referral/stats', { signal }),
  });

export const useStats = () => useQuery(statsQuery(useApi()));
