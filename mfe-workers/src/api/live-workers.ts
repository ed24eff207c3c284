/** All workers of the account by name, at most 10,000; the page filters and sorts them. */
import { queryOptions, useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';
import type { RemoteServices } from '@pool/shared';

const liveWorkersQuery = ({ api, session: { account, algorithm } }: RemoteServices) =>
  queryOptions({
    queryKey: ['workers', 'live', { account, algorithm }],
    // Comparing 10,000 workers field by field costs more than rendering the forty visible rows again.
    structuralSharing: false,
    queryFn: ({ signal }) =>
      api('GET /liveWorkers/', { query: { userName: account, algorithm, sort: 'name' }, signal }),
  });

export const useLiveWorkers = () => useQuery(liveWorkersQuery(useServices()));
