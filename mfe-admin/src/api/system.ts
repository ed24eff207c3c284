/** The overview, the state of the system, and switching the version of a remote. */
import type { Answer, CallOptions } from '@pool/shared';
import { useQuery } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import { useFormMutation, type OnSuccess } from '@pool/shared/ui/form';

export type Overview = Answer<'GET /admin/overview'>;
export type OverviewDays = Answer<'GET /admin/overview/days'>;
export type System = Answer<'GET /admin/system'>;
export type Remote = System['remotes'][number];
export type Switch = { name: string } & CallOptions<'PUT /admin/remotes/{name}'>['body'];

const INTERVAL_MS = 30_000;

export function useOverview() {
  const api = useApi();
  return useQuery({
    queryKey: ['admin', 'overview'],
    queryFn: ({ signal }) => api('GET /admin/overview', { signal }),
    refetchInterval: INTERVAL_MS,
  });
}

/** Finished days: they change once a day. */
export function useOverviewDays() {
  const api = useApi();
  return useQuery({
    queryKey: ['admin', 'overview', 'days'],
    queryFn: ({ signal }) => api('GET /admin/overview/days', { signal }),
    staleTime: 600_000,
  });
}

export function useSystem() {
  const api = useApi();
  return useQuery({
    queryKey: ['admin', 'system'],
    queryFn: ({ signal }) => api('GET /admin/system', { signal }),
    refetchInterval: INTERVAL_MS,
  });
}

export const useSwitch = (then: OnSuccess<unknown>) =>
  useFormMutation({
    send: (api, { name, ...body }: Switch) => api('PUT /admin/remotes/{name}', { params: { name }, body }),
    reads: [['admin'], ['remotes']],
    ...then,
  });
