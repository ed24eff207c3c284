/** Rows as admins edit them, and their changes: all or none, each with the version that was read. */
import type { Answer, ApiClient, CallOptions } from '@pool/shared';
import { useMutation, useQueryClient } from '@pool/shared/query';
import { useApi, useServiceQuery } from '@pool/shared/remote';
import { useList } from './use-list';

export type EditUser = Answer<'GET /admin/editUsers'>['rows'][number];
export type UserUpdate = CallOptions<'PUT /bulkUpdateUsers'>['body']['updates'][number];
export type Account = Answer<'GET /admin/subAccounts'>['rows'][number];
export type AccountUpdate = CallOptions<'PUT /bulkUpdateSubAccounts'>['body']['updates'][number];
export type AccountSort = NonNullable<NonNullable<CallOptions<'GET /admin/subAccounts'>['query']>['sort']>;

/** One call reads and changes at most so many. */
export const MOST = 500;
type Changes<Row> = readonly { row: Row; draft: Record<string, string> }[];

/** The rows with these ids, in the order of their names. */
export const useEditUsers = (ids: readonly number[]) =>
  useServiceQuery(({ api }) => ({
    queryKey: ['admin', 'edit-users', ids],
    queryFn: async ({ signal }) =>
      (await api('GET /admin/editUsers', { query: { ids: ids.join(','), limit: MOST }, signal })).rows,
    // An edit begins with what is there now.
    staleTime: 0,
    refetchOnWindowFocus: false,
  }));

/** Reads everything of the admins again, also after a refusal: somebody else may have changed the rows. */
function useSave<Row>(send: (api: ApiClient, changes: Changes<Row>) => Promise<unknown>) {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (changes: Changes<Row>) => send(api, changes),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['admin'] }),
  });
}

export const useSaveUsers = (updateOf: (row: EditUser, draft: Record<string, string>) => UserUpdate) =>
  useSave<EditUser>((api, changes) =>
    api('PUT /bulkUpdateUsers', { body: { updates: changes.map(({ row, draft }) => updateOf(row, draft)) } }),
  );

export type AccountFilter = { search?: string; sort: AccountSort };
export const useAccounts = (filter: AccountFilter) =>
  useList(['admin', 'accounts', filter], (api, { signal, ...part }) =>
    api('GET /admin/subAccounts', { query: { ...filter, ...part }, signal }),
  );

export const useEditAccounts = (ids: readonly number[]) =>
  useServiceQuery(({ api }) => ({
    queryKey: ['admin', 'edit-accounts', ids],
    queryFn: async ({ signal }) =>
      (await api('GET /admin/subAccounts', { query: { ids: ids.join(','), limit: MOST }, signal })).rows,
    staleTime: 0,
    refetchOnWindowFocus: false,
  }));

export const useSaveAccounts = (updateOf: (row: Account, draft: Record<string, string>) => AccountUpdate) =>
  useSave<Account>((api, changes) =>
    api('PUT /bulkUpdateSubAccounts', { body: { updates: changes.map(({ row, draft }) => updateOf(row, draft)) } }),
  );
