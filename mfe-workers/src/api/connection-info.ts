/** Where the account's miners connect, one entry per algorithm. */
import { queryOptions, useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';
import type { RemoteServices } from '@pool/shared';

const connectionInfoQuery = ({ api, session: { account } }: RemoteServices) =>
  queryOptions({
    queryKey: ['connection', { account }],
    queryFn: ({ signal }) => api('GET /connectionInfo/', { query: { userName: account }, signal }),
    staleTime: 10 * 60_000,
  });

export const useConnectionInfo = () => useQuery(connectionInfoQuery(useServices()));
