import type { RemoteServices } from '@pool/shared';
import { useMutation, useQueryClient } from '@pool/shared/query';
import { useServices, useSubAccountId } from '@pool/shared/remote';

/** A change by the selected sub-account; queries whose key begins with `reads` are read again. */
export function useChange<Variables, Result>(
  reads: 'workers' | 'upstreams',
  change: (services: RemoteServices, variables: Variables, subAccountId: number | undefined) => Promise<Result>,
) {
  const services = useServices();
  const subAccountId = useSubAccountId();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => change(services, variables, subAccountId),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [reads] }),
  });
}
