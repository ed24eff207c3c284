import { createAbility, type Answer, type ApiClient, type PoolAbility, type SubAccount, type User } from '@pool/shared';
import { useQuery } from '@pool/shared/query';
import { subAccountsQuery, userInfoQuery } from '@pool/shared/remote';
import { useMemo } from 'react';
import { personOf, placeOf, type Place } from './place';

export type Who = {
  /** Whose account the pages show. */
  user: User;
  person: User;
  place: Place | null;
  ability: PoolAbility;
  /** An admin without two-step sign-in, which the pool requires. */
  twoStepRequired: boolean;
  isLegacyUser: boolean;
  subAccounts: SubAccount[];
  /** Name of the sub-account that is chosen where the address names none. */
  primary: string;
  /** What the user may switch to, and where the user is now. */
  organizations: NonNullable<Answer<'GET /getUserInfo/'>['organizations']>;
  organizationId: string | null;
};

/** The signed-in user with rules and sub-accounts. The server enforces both; the page only follows. */
export function useWho(api: ApiClient, userId: string): { who: Who | null; error: unknown; refetch(): void } {
  const info = useQuery(userInfoQuery(api, userId));
  const accounts = useQuery(subAccountsQuery(api, userId));
  const who = useMemo<Who | null>(() => {
    if (!info.data || !accounts.data) return null;
    const rules = info.data.rules as Parameters<typeof createAbility>[0];
    const { subAccounts } = accounts.data;
    const { user } = info.data;
    return {
      user,
      person: personOf(info.data),
      place: placeOf(info.data),
      // A role may be limited to other sub-accounts than the primary.
      primary: subAccounts.some(({ name }) => name === user.userName)
        ? user.userName
        : (subAccounts[0]?.name ?? user.userName),
      organizations: info.data.organizations ?? [],
      organizationId: info.data.member?.organizationId ?? null,
      ability: createAbility(rules),
      twoStepRequired: info.data.twoStepRequired ?? false,
      isLegacyUser: info.data.isLegacyUser,
      subAccounts,
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
