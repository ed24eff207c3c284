import type { Worker } from '@pool/shared';
import { useQuery } from '@pool/shared/query';
import { subAccountsQuery, useServices, useWorkerGroups } from '@pool/shared/remote';

/** The ids of the workers' sub-accounts, and the names of the groups that each of these has. */
export function useCommonGroups(workers: readonly Worker[]): { accounts: number[]; groups: string[] } {
  const { api, session } = useServices();
  const { data } = useQuery(subAccountsQuery(api, session.userId));
  const all = useWorkerGroups().data ?? [];
  const names = new Set(workers.map(({ account = session.account }) => account));
  const accounts = (data?.subAccounts ?? []).flatMap(({ id, name }) => (names.has(name) ? [id] : []));
  const groups = [...new Set(all.map(({ name }) => name))].filter((name) =>
    accounts.every((id) => all.some((group) => group.name === name && group.subAccountId === id)),
  );
  return { accounts, groups };
}
