/** Upstream pools of the account, per algorithm, with their states. */
import { queryOptions, useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';
import type { RemoteServices } from '@pool/shared';

const upstreamsQuery = ({ api, session: { account } }: RemoteServices) =>
  queryOptions({
    queryKey: ['upstreams', { account }],
    queryFn: ({ signal }) => api('GET /upstreams', { query: { userName: account }, signal }),
  });

export const useUpstreams = () => useQuery(upstreamsQuery(useServices()));

/** Refetch interval while waiting for a miner: the server sends no event for a connection. */
const REFETCH_MS = 4_000;

/** Number of the account's miners that are connected for the page's algorithm; null while unknown. */
export function useConnections(): number | null {
  const services = useServices();
  const { data } = useQuery({ ...upstreamsQuery(services), refetchInterval: REFETCH_MS });
  if (!data) return null;
  return data
    .filter(({ algorithm }) => algorithm === services.session.algorithm)
    .reduce((sum, { connections }) => sum + connections, 0);
}
