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
