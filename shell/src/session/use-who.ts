import { createAbility, type ApiClient, type PoolAbility, type SubAccount, type User } from '@pool/shared';
import { useQuery } from '@pool/shared/query';
import { subAccountsQuery, userInfoQuery } from '@pool/shared/remote';
import { useMemo } from 'react';

export type Who = {
  user: User;
  ability: PoolAbility;
  /** An admin without two-step sign-in, which the pool requires. */
  twoStepRequired: boolean;
  isLegacyUser: boolean;
  subAccounts: SubAccount[];
};

/** The signed-in user with rules and sub-accounts. The server enforces both; the page only follows. */
export function useWho(api: ApiClient, userId: string): { who: Who | null; error: unknown; refetch(): void } {
  const info = useQuery(userInfoQuery(api, userId));
  const accounts = useQuery(subAccountsQuery(api, userId));
  const who = useMemo<Who | null>(() => {
    if (!info.data || !accounts.data) return null;
    const rules = info.data.rules as Parameters<typeof createAbility>[0];
    return {
      user: info.data.user,
      ability: createAbility(rules),
      twoStepRequired: info.data.twoStepRequired ?? false,
      isLegacyUser: info.data.isLegacyUser,
      subAccounts: accounts.data.subAccounts,
    };
  }, [info.data, accounts.data]);
  return {
    who,
    error: who ? null : (info.error ?? accounts.error),
    refetch() {
      void info.refetch();
      void accounts.refetch();
    },
  };
}
