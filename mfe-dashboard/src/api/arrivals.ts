/** The account's miners that have not had a share yet, and refused ones. */
import { useServiceQuery } from '@pool/shared/remote';

/** While waiting for a miner: the server sends no event for a connection. */
const REFETCH_MS = 4_000;

export const useArrivals = () =>
  useServiceQuery(({ api, session: { account } }) => ({
    queryKey: ['upstreams', 'arrivals', { account }],
    queryFn: ({ signal }) => api('GET /arrivals', { query: { userName: account }, signal }),
    refetchInterval: REFETCH_MS,
  }));
