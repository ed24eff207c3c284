/** Times of the last day at which the account mined clearly less than usual. */
import { useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';

const REFETCH_MS = 5 * 60_000;

export function useDips() {
  const { api, session } = useServices();
  const { account, algorithm } = session;
  return useQuery({
    queryKey: ['dips', { account, algorithm }],
    queryFn: ({ signal }) => api('GET /dips', { query: { algorithm, userName: account }, signal }),
    refetchInterval: REFETCH_MS,
  });
}
