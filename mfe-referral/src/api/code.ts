import { useApi } from '@pool/shared/remote';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@pool/shared/query';
import type { ApiClient } from '@pool/shared';

const codeQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['referral', 'code'],
    queryFn: ({ signal }) => api('GET /referral/code', { signal }),
  });

/** The user's code and link (null until created), the rate (percent of the pool fee), and its duration in months. */
export const useCode = () => useQuery(codeQuery(useApi()));

export function useMakeCode() {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api('POST /referral/code', { body: {} }),
    onSuccess: (code) => client.setQueryData(codeQuery(api).queryKey, code),
  });
}
