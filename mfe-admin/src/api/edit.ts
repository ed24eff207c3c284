import type { Answer, CallOptions } from '@pool/shared';
import { useList } from './reads';

export type Account = Answer<'GET /admin/subAccounts'>['rows'][number];
export type AccountSort = NonNullable<NonNullable<CallOptions<'GET /admin/subAccounts'>['query']>['sort']>;

/** One call reads and changes at most so many. */
export const MOST = 500;

export const useAccounts = (filter: { search?: string; sort: AccountSort }) =>
  useList(['admin', 'accounts', filter], (api, { signal, ...part }) =>
    api('GET /admin/subAccounts', { query: { ...filter, ...part }, signal }),
  );
