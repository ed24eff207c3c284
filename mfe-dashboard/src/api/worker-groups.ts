/** Names of the account's worker groups. */
import { useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';

/** The keys are the shell's and the workers page's: their responses are used. */
export function useGroupNames(): string[] {
  const { api, session } = useServices();
  const own = useQuery({
    queryKey: ['subAccounts', session.userId],
    queryFn: ({ signal }) => api('GET /subAccounts/', { signal }),
    staleTime: 60_000,
  });
  const groups = useQuery({
    queryKey: ['workers', 'groups', { account: session.account }],
    queryFn: ({ signal }) => api('GET /workerGroups/', { signal }),
  });
  const id = own.data?.subAccounts.find(({ name }) => name === session.account)?.id;
  return (groups.data ?? []).flatMap(({ name, subAccountId }) => (subAccountId === id ? [name] : []));
}
