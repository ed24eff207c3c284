import type { ApiClient } from '@pool/shared';
import { queryOptions } from '@pool/shared/query';

/** Notifications, newest first, and the number of unread ones. The `notification` event refetches it. */
export const notificationsQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['notifications'],
    queryFn: ({ signal }) => api('GET /notifications', { signal }),
  });
