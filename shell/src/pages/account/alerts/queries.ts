import type { ApiClient } from '@pool/shared';
import { queryOptions } from '@pool/shared/query';

export const alertsQuery = (api: ApiClient) =>
  queryOptions({ queryKey: ['alerts'], queryFn: ({ signal }) => api('GET /alerts', { signal }) });
