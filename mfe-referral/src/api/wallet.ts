import { useApi } from '@pool/shared/remote';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@pool/shared/query';
import type { ApiClient } from '@pool/shared';

const walletQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['referral', 'wallet'],
    queryFn: ({ signal }) => api('GET /referral/wallet', { signal }),
  });

/** The payout address of referral earnings, and its hold after a change. */
export const useReferralWallet = () => useQuery(walletQuery(useApi()));

/** Sets the address; setting the one before the change again cancels the change. */
export function useSetReferralWallet() {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (walletAddress: string) => api('PUT /referral/wallet', { body: { walletAddress } }),
    onSuccess: (wallet) => client.setQueryData(walletQuery(api).queryKey, wallet),
  });
}
