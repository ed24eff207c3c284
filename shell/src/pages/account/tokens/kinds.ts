/** Watcher links and API keys differ in their calls and in what is done with the token. */
import type { AccessToken, ApiClient, Scope } from '@pool/shared';
import { queryOptions } from '@pool/shared/query';

type NewToken = { name: string; scopes: Scope[]; expiresAt: string | null };
export type MadeToken = AccessToken & { token: string };
export type TokenKind = {
  name: 'watchers' | 'apiKeys';
  list(api: ApiClient, signal: AbortSignal): Promise<AccessToken[]>;
  make(api: ApiClient, body: NewToken): Promise<MadeToken>;
  revoke(api: ApiClient, id: number): Promise<unknown>;
};

export const WATCHERS: TokenKind = {
  name: 'watchers',
  list: (api, signal) => api('GET /watchers', { signal }),
  make: (api, body) => api('POST /watchers', { body }),
  revoke: (api, id) => api('DELETE /watchers/{id}', { params: { id } }),
};
export const API_KEYS: TokenKind = {
  name: 'apiKeys',
  list: (api, signal) => api('GET /apiKeys', { signal }),
  make: (api, body) => api('POST /apiKeys', { body }),
  revoke: (api, id) => api('DELETE /apiKeys/{id}', { params: { id } }),
};

export const tokensQuery = (api: ApiClient, { name, list }: TokenKind) =>
  queryOptions({ queryKey: [name], queryFn: ({ signal }) => list(api, signal) });

export const SCOPES: readonly Scope[] = ['hashrate', 'workers', 'earnings'];

/** A call that each scope allows, for the example of an API key. */
const EXAMPLE: Record<Scope, string> = {
  hashrate: '/api/getLiveHashrates/',
  workers: '/api/liveWorkers/',
  earnings: '/api/payment/',
};
export const curlOf = (origin: string, token: string, [scope = 'hashrate']: readonly Scope[]): string =>
  `curl -H 'Authorization: Bearer ${token}' ${origin}${EXAMPLE[scope]}`;
export const watchLink = (origin: string, token: string): string => `${origin}/watch/${token}`;

/** Days until a new token expires; null: never. */
export const LIFETIMES = [7, 30, 90, 365, null] as const;
export const expiryAfter = (days: number | null, now: number): string | null =>
  days === null ? null : new Date((now + days * 86_400) * 1000).toISOString();
