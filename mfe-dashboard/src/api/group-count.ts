/** Number of workers in each state, of a worker group. */
import { useServiceQuery } from '@pool/shared/remote';

export const useGroupCount = (group: string | undefined) =>
  useServiceQuery(({ api, session: { account, algorithm }, ability }) => ({
    enabled: group !== undefined && ability.can('read', 'workers'),
    queryKey: ['workers', 'count', { account, algorithm, group }],
    queryFn: ({ signal }) =>
      api('GET /getWorkerCount/', { query: { subAccountName: account, algorithm, group }, signal }),
  }));
