/** The user's saved upstream pools, for all of its sub-accounts; their changes, and the connection test. */
import type { NewPoolConfig, PoolConfigChange, RemoteServices } from '@pool/shared';
import { useMutation, useQueryClient } from '@pool/shared/query';
import { useServices, useServiceQuery } from '@pool/shared/remote';

export const useSavedPools = () =>
  useServiceQuery(({ api }) => ({
    queryKey: ['upstreams', 'saved'],
    queryFn: ({ signal }) => api('GET /poolConfigs/', { signal }),
  }));

/** Lists show names and addresses of saved pools: all that is about upstreams is read again. */
function useSavedChange<Variables, Result>(
  change: (services: RemoteServices, variables: Variables) => Promise<Result>,
) {
  const services = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => change(services, variables),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['upstreams'] }),
  });
}

export const useSavePool = () =>
  useSavedChange(({ api }, { id, pool }: { id?: number; pool: NewPoolConfig | PoolConfigChange }) =>
    id === undefined
      ? api('POST /poolConfigs/', { body: pool as NewPoolConfig })
      : api('PUT /poolConfigs/{id}', { params: { id }, body: pool }),
  );

export const useDeletePool = () =>
  useSavedChange(({ api }, id: number) => api('DELETE /poolConfigs/{id}', { params: { id } }));

/** Connects and signs in, for up to ten seconds: a saved pool by its id, or one that is not saved yet. */
export function useTestPool() {
  const { api } = useServices();
  return useMutation({
    mutationFn: (pool: { id: number } | Omit<NewPoolConfig, 'name'>) => api('POST /poolConfigs/test', { body: pool }),
  });
}
