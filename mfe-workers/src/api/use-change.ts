import type { RemoteServices } from '@pool/shared';
import { useMutation, useQueryClient } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';

/** A change; queries whose key begins with `reads` are read again. */
export function useChange<Variables, Result>(
  reads: 'workers' | 'upstreams',
  change: (services: RemoteServices, variables: Variables) => Promise<Result>,
) {
  const services = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => change(services, variables),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [reads] }),
  });
}
