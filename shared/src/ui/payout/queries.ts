import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '../../api/client';

export const walletQuery = (api: ApiClient, account: string) =>
  queryOptions({
    queryKey: ['wallet', { account }],
    queryFn: ({ signal }) => api('GET /wallet/', { query: { accountName: account }, signal }),
  });

export const rulesQuery = (api: ApiClient, account: string) =>
  queryOptions({
    queryKey: ['payments', 'settings', { account }],
    queryFn: ({ signal }) => api('GET /payoutSettings', { query: { accountName: account }, signal }),
  });
