/** `GET /users/`: the server searches, sorts and pages, so that 100,000 users cost the page as much as ten. */
import type { ApiClient, UserSort } from '@pool/shared';
import { useList } from './use-list';

export type UserFilter = { search?: string; legacy?: boolean; sort: UserSort };

export const usersPage =
  (api: ApiClient, { legacy, ...filter }: UserFilter) =>
  ({ signal, ...part }: { cursor?: string; limit: number; signal?: AbortSignal }) =>
    // A query parameter is text; the contract parses `true` and `false`.
    api('GET /users/', { query: { ...filter, legacy: legacy?.toString(), ...part }, signal });

export const useUsers = (filter: UserFilter) =>
  useList(['admin', 'users', filter], (api, part) => usersPage(api, filter)(part));
