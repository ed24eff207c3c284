import type { Answer, CallOptions } from '@pool/shared';
import { useFormMutation, type OnSuccess } from '@pool/shared/ui/form';
import { useServiceQuery } from '@pool/shared/remote';

export type Overview = Answer<'GET /admin/overview'>;
export type OverviewDays = Answer<'GET /admin/overview/days'>;
export type System = Answer<'GET /admin/system'>;
export type Remote = System['remotes'][number];
export type Switch = { name: string } & CallOptions<'PUT /admin/remotes/{name}'>['body'];

const INTERVAL_MS = 30_000;

export const useOverview = () =>
  useServiceQuery(({ api }) => ({
    queryKey: ['admin', 'overview'],
    queryFn: ({ signal }) => api('GET /admin/overview', { signal }),
    refetchInterval: INTERVAL_MS,
  }));

/** Finished days: they change once a day. */
export const useOverviewDays = () =>
  useServiceQuery(({ api }) => ({
    queryKey: ['admin', 'overview', 'days'],
    queryFn: ({ signal }) => api('GET /admin/overview/days', { signal }),
    staleTime: 600_000,
  }));

export const useSystem = () =>
  useServiceQuery(({ api }) => ({
    queryKey: ['admin', 'system'],
    queryFn: ({ signal }) => api('GET /admin/system', { signal }),
    refetchInterval: INTERVAL_MS,
  }));

export const useKeptMails = () =>
  useServiceQuery(({ api }) => ({
    queryKey: ['admin', 'mails'],
    queryFn: ({ signal }) => api('GET /admin/mails', { signal }),
    refetchInterval: INTERVAL_MS,
  }));

export const useSwitch = (then: OnSuccess<unknown>) =>
  useFormMutation({
    send: (api, { name, ...body }: Switch) => api('PUT /admin/remotes/{name}', { params: { name }, body }),
    reads: [['admin'], ['remotes']],
    ...then,
  });
