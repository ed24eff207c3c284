/** The day that waits for a decision, and what upstream pools accepted against what miners were credited. */
import type { Answer, CallOptions } from '@pool/shared';
import { useFormMutation, type OnSuccess } from '@pool/shared/ui/form';
import { useServiceQuery } from '@pool/shared/remote';

type Closing = Answer<'GET /admin/closing'>;
export type WaitingDay = NonNullable<Closing['waiting']>;
export type Finding = WaitingDay['findings'][number];
export type UpstreamDay = Closing['upstreams'][number];
type Decision = { day: string } & CallOptions<'POST /admin/closing/{day}'>['body'];

const INTERVAL_MS = 30_000;

export const useClosing = () =>
  useServiceQuery(({ api }) => ({
    queryKey: ['admin', 'closing'],
    queryFn: ({ signal }) => api('GET /admin/closing', { signal }),
    refetchInterval: INTERVAL_MS,
  }));

export const useDecideDay = (then: OnSuccess<Answer<'POST /admin/closing/{day}'>>) =>
  useFormMutation({
    send: (api, { day, ...body }: Decision) => api('POST /admin/closing/{day}', { params: { day }, body }),
    reads: [['admin'], ['payments']],
    ...then,
  });
