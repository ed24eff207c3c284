import { useApi } from '@pool/shared/remote';
import { queryOptions, useQuery } from '@pool/shared/query';
import type { ApiClient } from '@pool/shared';

export const btcPriceQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['prices', 'bitcoin'],
    queryFn: ({ signal }) => api('GET /homePrice/', { signal }),
    staleTime: 60_000,
  });

/** What one bitcoin costs now, US dollars. */
export const useBtcPrice = () => useQuery(btcPriceQuery(useApi()));
