import type { ApiClient } from '@pool/shared';
import { queryOptions } from '@pool/shared/query';

export const connectionsQuery = (api: ApiClient) =>
  queryOptions({ queryKey: ['telegram'], queryFn: ({ signal }) => api('GET /telegram/', { signal }) });

const POLL_MS = 3_000;

/** How far a link is; asked again until it is linked. */
export const linkStateQuery = (api: ApiClient, token: string) =>
  queryOptions({
    queryKey: ['telegram', 'link', token],
    queryFn: ({ signal }) => api('GET /telegram/auth', { query: { token }, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'linked' || state.error ? false : POLL_MS),
    retry: false,
  });

/** A chat's name within a text of either direction. */
export const chatName = (username: string): string => `\u2068@${username}\u2069`;
