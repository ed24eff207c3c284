import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '../../api/client';
import type { Wallet } from '../../api/schemas';

export type WalletCalls = {
  key: readonly unknown[];
  read(signal?: AbortSignal): Promise<Wallet>;
  set(address: string): Promise<Wallet>;
  /** Goes back to the address before the held change. */
  cancel(oldAddress: string): Promise<Wallet>;
};

export const accountWallet = (api: ApiClient, account: string): WalletCalls => {
  const query = { accountName: account };
  return {
    key: ['wallet', { account }],
    read: (signal) => api('GET /wallet/', { query, signal }),
    set: (btcAddress) => api('PUT /wallet/', { query, body: { btcAddress } }),
    cancel: () => api('DELETE /wallet/change', { query }),
  };
};

export const queryOfWallet = ({ key, read }: WalletCalls) =>
  queryOptions({ queryKey: key, queryFn: ({ signal }) => read(signal) });

export const walletQuery = (api: ApiClient, account: string) => queryOfWallet(accountWallet(api, account));

export const rulesQuery = (api: ApiClient, account: string) =>
  queryOptions({
    queryKey: ['payments', 'settings', { account }],
    queryFn: ({ signal }) => api('GET /payoutSettings', { query: { accountName: account }, signal }),
  });
