/** Times of the last day at which the account mined clearly less than usual. */
import { useServiceQuery } from '@pool/shared/remote';

const REFETCH_MS = 5 * 60_000;

export const useDips = () =>
  useServiceQuery(({ api, session: { account, algorithm } }) => ({
    queryKey: ['dips', { account, algorithm }],
    queryFn: ({ signal }) => api('GET /dips', { query: { algorithm, userName: account }, signal }),
    refetchInterval: REFETCH_MS,
  }));
