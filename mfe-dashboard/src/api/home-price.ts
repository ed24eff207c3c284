/** Bitcoin price in US dollars, with its age. */
import { queryOptions, useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';
import type { RemoteServices } from '@pool/shared';

export const homePriceQuery = ({ api }: RemoteServices) =>
  queryOptions({
    queryKey: ['prices', 'bitcoin'],
    queryFn: ({ signal }) => api('GET /homePrice/', { signal }),
    refetchInterval: 5 * 60_000,
  });

export const useHomePrice = () => useQuery(homePriceQuery(useServices()));
