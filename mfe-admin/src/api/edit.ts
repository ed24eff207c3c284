/** Rows as admins edit them, and their changes: all or none, each with the version that was read. */
import type { Answer, CallOptions } from '@pool/shared';
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
function useSave<Row>(send: (changes: Changes<Row>) => Promise<unknown>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['admin'] }),
  });
}

export function useSaveUsers(updateOf: (row: EditUser, draft: Record<string, string>) => UserUpdate) {
  const api = useApi();
  return useSave<EditUser>((changes) =>
    api('PUT /bulkUpdateUsers', { body: { updates: changes.map(({ row, draft }) => updateOf(row, draft)) } }),
  );
}

export type AccountFilter = { search?: string; sort: AccountSort };
export function useAccounts(filter: AccountFilter) {
  const api = useApi();
  return useList(['admin', 'accounts', filter], ({ signal, ...part }) =>
    api('GET /admin/subAccounts', { query: { ...filter, ...part }, signal }),
  );
}

export const useEditAccounts = (ids: readonly number[]) =>
  useServiceQuery(({ api }) => ({
    queryKey: ['admin', 'edit-accounts', ids],
    queryFn: async ({ signal }) =>
      (await api('GET /admin/subAccounts', { query: { ids: ids.join(','), limit: MOST }, signal })).rows,
    staleTime: 0,
    refetchOnWindowFocus: false,
  }));

export function useSaveAccounts(updateOf: (row: Account, draft: Record<string, string>) => AccountUpdate) {
  const api = useApi();
  return useSave<Account>((changes) =>
    api('PUT /bulkUpdateSubAccounts', { body: { updates: changes.map(({ row, draft }) => updateOf(row, draft)) } }),
  );
}
