import { useApi } from '@pool/shared/remote';
import { queryOptions, useQuery } from '@pool/shared/query';
import type { Answer, ApiClient } from '@pool/shared';

export type Referred = Answer<'GET /referral/list'>[number];

const listQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['referral', 'list'],
    queryFn: ({ signal }) => api('GET /referral/list', { signal }),
  });

/** Users referred by the signed-in user; the server masks their names. */
export const useReferred = () => useQuery(listQuery(useApi()));
