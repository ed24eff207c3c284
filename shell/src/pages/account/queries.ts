import type { ApiClient } from '@pool/shared';
import { queryOptions } from '@pool/shared/query';

export const FACTS = ['workers', 'sub-accounts'] as const;

/** Figures of the sub-accounts; live events of workers refetch them. */
export const factsQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: FACTS,
    queryFn: ({ signal }) => api('GET /subAccounts/facts', { signal }),
  });

/** What keeps the whole account from being deleted. */
export const closingQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['account', 'closing'],
    queryFn: ({ signal }) => api('GET /account/closing', { signal }),
  });
