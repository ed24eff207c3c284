/** The sub-account that the pages show. Its key is the shell's: the response is there already. */
import { useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';

/** The id of the sub-account; undefined while unknown, and for one that is not the user's own. */
export function useSubAccountId(): number | undefined {
  const { api, session, ability } = useServices();
  const { data } = useQuery({
    queryKey: ['subAccounts', session.userId],
    queryFn: ({ signal }) => api('GET /subAccounts/', { signal }),
    staleTime: 60_000,
    enabled: ability.can('read', 'account'),
  });
  return data?.subAccounts.find(({ name }) => name === session.account)?.id;
}
