import { useServiceQuery } from '@pool/shared/remote';

/** Numbers of the workers that went off in an event; of one that is not there, none. */
export const useEventWorkers = (id: number | null) =>
  useServiceQuery(({ api, session: { account } }) => ({
    enabled: id !== null,
    queryKey: ['farmEvents', 'workers', { id, account }],
    queryFn: ({ signal }) =>
      api('GET /farmEvents/{id}/workers', { params: { id: id ?? 0 }, query: { userName: account }, signal }),
    select: (workers: readonly number[]) => new Set(workers),
  }));
