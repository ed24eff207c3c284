import type { ApiClient } from '@pool/shared';
import { queryOptions } from '@pool/shared/query';

export const hooksQuery = (api: ApiClient) =>
  queryOptions({ queryKey: ['webhooks'], queryFn: ({ signal }) => api('GET /webhooks', { signal }) });

const POLL_MS = 3_000;

/** Asked again while something is to be sent soon. */
export const deliveriesQuery = (api: ApiClient, id: number) =>
  queryOptions({
    queryKey: ['webhooks', id, 'deliveries'],
    queryFn: ({ signal }) => api('GET /webhooks/{id}/deliveries', { params: { id }, signal }),
    refetchInterval: ({ state }) => state.data?.some(({ state: each }) => each === 'waiting') && POLL_MS,
  });
