import type { Answer, ApiClient } from '@pool/shared';
import type { WalletCalls } from '@pool/shared/ui/payout';

const walletOf = ({ walletAddress, hold }: Answer<'GET /referral/wallet'>) => ({
  btcAddress: walletAddress,
  hold,
  history: [],
});

/** Where referral earnings are paid to. Setting the address before a change again cancels the change. */
export function referralWallet(api: ApiClient): WalletCalls {
  const set = async (walletAddress: string) => walletOf(await api('PUT /referral/wallet', { body: { walletAddress } }));
  return {
    key: ['referral', 'wallet'],
    read: async (signal) => walletOf(await api('GET /referral/wallet', { signal })),
    set,
    cancel: set,
  };
}
