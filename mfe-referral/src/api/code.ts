import { useApi } from '@pool/shared/remote';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@pool/shared/query';
import type { ApiClient } from '@pool/shared';

const codeQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['referral', 'code'],
    queryFn: ({ signal }) => api('GET /referral/code', { signal }),
  });

/** My code and link (null until made), with the rate (percent of the pool fee) and how many months it lasts. */
export const useCode = () => useQuery(codeQuery(useApi()));

export function useMakeCode() {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api('POST /referral/code', { body: {} }),
    onSuccess: (code) => client.setQueryData(codeQuery(api).queryKey, code),
  });
}
