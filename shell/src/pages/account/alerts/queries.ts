import type { ApiClient } from '@pool/shared';
import { queryOptions } from '@pool/shared/query';

export const limitsQuery = (api: ApiClient) =>
  queryOptions({ queryKey: ['alerts', 'limits'], queryFn: ({ signal }) => api('GET /accountLimits', { signal }) });

export const alertsQuery = (api: ApiClient) =>
  queryOptions({ queryKey: ['alerts'], queryFn: ({ signal }) => api('GET /alerts', { signal }) });
