/** What can be compared beside workers, and the part of it that the URL names: `?compare=g3,a7`. */
import { useQuery } from '@pool/shared/query';
import { subAccountsQuery, useServices, useWorkerGroups } from '@pool/shared/remote';
import { useUrlState } from '@pool/shared/router';
import { useMemo } from 'react';
import type { Whose } from '../../api/worker-history';
import { COMPARABLE } from '../workers/use-opened';

/** `key`: `g` and the id of a group, or `a` and that of an account. */
export type Comparable = { key: string; name: string; whose: Whose };

const PLACE = { compare: (text: string | null) => text ?? undefined };

/** The picked account's groups, and the user's accounts where there are several. `compared`: undefined: not comparing. */
export function useComparable() {
  const { api, session } = useServices();
  const groups = useWorkerGroups().data;
  const accounts = useQuery(subAccountsQuery(api, session.userId)).data?.subAccounts;
  const [{ compare }, set] = useUrlState(PLACE);
  const all = useMemo(
    (): Comparable[] => [
      ...(groups ?? []).map(({ id, name }) => ({ key: `g${id}`, name, whose: { group: name } })),
      ...(accounts && accounts.length > 1 ? accounts : []).map(({ id, name }) => ({
        key: `a${id}`,
        name,
        whose: { account: name },
      })),
    ],
    [groups, accounts],
  );
  const keys = compare?.split(',');
  return {
    all,
    compared: keys && all.filter(({ key }) => keys.includes(key)).slice(0, COMPARABLE.most),
    compare: (next: readonly string[]) => set({ compare: next.join(',') }),
    endComparison: () => set({ compare: undefined }),
  };
}
