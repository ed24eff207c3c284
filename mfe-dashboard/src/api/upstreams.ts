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
