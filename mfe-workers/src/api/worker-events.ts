/** What happened to a worker, newest first. */
import { useServiceQuery } from '@pool/shared/remote';

export const useWorkerEvents = (id: number) =>
  useServiceQuery(({ api }) => ({
    queryKey: ['workers', 'events', id],
    queryFn: ({ signal }) => api('GET /workers/{id}/events', { params: { id }, signal }),
  }));
