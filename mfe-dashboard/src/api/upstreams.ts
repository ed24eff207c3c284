/** The pool the work goes to now, one per algorithm. */
import { queryOptions, useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';
import type { RemoteServices } from '@pool/shared';

export const upstreamsQuery = ({ api, session: { account } }: RemoteServices) =>
  queryOptions({
    queryKey: ['upstreams', { account }],
    queryFn: ({ signal }) => api('GET /upstreams', { query: { userName: account }, signal }),
  });

export const useUpstreams = () => useQuery(upstreamsQuery(useServices()));

/** No event tells of a miner that connects: whoever waits for one looks often. */
const LOOK_MS = 4_000;

/** How many miners of the account are connected for the algorithm on the page, signed in with its name; null while unknown. */
export function useConnections(): number | null {
  const services = useServices();
  const { data } = useQuery({ ...upstreamsQuery(services), refetchInterval: LOOK_MS });
  if (!data) return null;
  return data
    .filter(({ algorithm }) => algorithm === services.session.algorithm)
    .reduce((sum, { connections }) => sum + connections, 0);
}
