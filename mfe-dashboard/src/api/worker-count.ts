/** How many workers are in each state. */
import { queryOptions, useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';
import type { RemoteServices } from '@pool/shared';

export const workerCountQuery = ({ api, session: { account, algorithm } }: RemoteServices) =>
  queryOptions({
    queryKey: ['workers', 'count', { account, algorithm }],
    queryFn: ({ signal }) => api('GET /getWorkerCount/', { query: { subAccountName: account, algorithm }, signal }),
  });

export const useWorkerCount = () => useQuery(workerCountQuery(useServices()));
