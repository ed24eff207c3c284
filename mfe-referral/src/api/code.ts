import { useMutation, useQueryClient } from '@pool/shared/query';
import { useApi, useServiceQuery } from '@pool/shared/remote';

const KEY = ['referral', 'code'];

/** The user's code and link (null until created), the rate (percent of the pool fee), and its duration in months. */
export const useCode = () =>
  useServiceQuery(({ api }) => ({ queryKey: KEY, queryFn: ({ signal }) => api('GET /referral/code', { signal }) }));

export function useMakeCode() {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api('POST /referral/code', { body: {} }),
    onSuccess: (code) => client.setQueryData(KEY, code),
  });
}
