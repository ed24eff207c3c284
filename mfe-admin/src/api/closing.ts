/** The day that waits for a decision, and what upstream pools accepted against what miners were credited. */
import type { Answer, CallOptions } from '@pool/shared';
import { useMutation, useQuery, useQueryClient } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';

type Closing = Answer<'GET /admin/closing'>;
export type WaitingDay = NonNullable<Closing['waiting']>;
export type Finding = WaitingDay['findings'][number];
export type UpstreamDay = Closing['upstreams'][number];
type Decision = { day: string } & CallOptions<'POST /admin/closing/{day}'>['body'];

const INTERVAL_MS = 30_000;

export function useClosing() {
  const api = useApi();
  return useQuery({
    queryKey: ['admin', 'closing'],
    queryFn: ({ signal }) => api('GET /admin/closing', { signal }),
    refetchInterval: INTERVAL_MS,
  });
}

export function useDecideDay() {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ day, ...body }: Decision) => api('POST /admin/closing/{day}', { params: { day }, body }),
    // Also after a refusal: what was found may have changed.
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['admin'] }),
        queryClient.invalidateQueries({ queryKey: ['payments'] }),
      ]),
  });
}
