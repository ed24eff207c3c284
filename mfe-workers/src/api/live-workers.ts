/** All workers of the account, at most 10,000: filtering and sorting happen in the page, at once. */
import { queryOptions, useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';
import type { RemoteServices } from '@pool/shared';

export const liveWorkersQuery = ({ api, session: { account, algorithm } }: RemoteServices) =>
  queryOptions({
    queryKey: ['workers', 'live', { account, algorithm }],
    queryFn: ({ signal }) => api('GET /liveWorkers/', { query: { userName: account, algorithm }, signal }),
    // Events come first; this is what remains when the stream is cut.
    refetchInterval: 30_000,
  });

export const useLiveWorkers = () => useQuery(liveWorkersQuery(useServices()));
