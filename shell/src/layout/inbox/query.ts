import type { ApiClient } from '@pool/shared';
import { queryOptions } from '@pool/shared/query';

/** Newest first, and how many are unread. The `notification` event has it asked again. */
export const notificationsQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['notifications'],
    queryFn: ({ signal }) => api('GET /notifications', { signal }),
  });
