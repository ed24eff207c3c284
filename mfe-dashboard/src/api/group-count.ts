/** Number of workers in each state, of a worker group. */
import { useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';

export function useGroupCount(group: string | undefined) {
  const { api, session, ability } = useServices();
  const { account, algorithm } = session;
  return useQuery({
    enabled: group !== undefined && ability.can('read', 'workers'),
    queryKey: ['workers', 'count', { account, algorithm, group }],
    queryFn: ({ signal }) =>
      api('GET /getWorkerCount/', { query: { subAccountName: account, algorithm, group }, signal }),
  });
}
