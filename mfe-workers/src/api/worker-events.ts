/** What happened to a worker, newest first. */
import { useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';

export function useWorkerEvents(id: number) {
  const { api } = useServices();
  return useQuery({
    queryKey: ['workers', 'events', id],
    queryFn: ({ signal }) => api('GET /workers/{id}/events', { params: { id }, signal }),
  });
}
