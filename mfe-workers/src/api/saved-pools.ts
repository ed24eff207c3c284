/** The user's saved upstream pools, for all of its sub-accounts; their changes, and the connection test. */
import type { NewPoolConfig, PoolConfigChange } from '@pool/shared';
import { useMutation } from '@pool/shared/query';
import { useApi, useServiceQuery } from '@pool/shared/remote';
import { useChange } from './use-change';

export const useSavedPools = () =>
  useServiceQuery(({ api }) => ({
    queryKey: ['upstreams', 'saved'],
    queryFn: ({ signal }) => api('GET /poolConfigs/', { signal }),
  }));

/** Lists show names and addresses of saved pools. */
export const useSavePool = () =>
  useChange('upstreams', ({ api }, { id, pool }: { id?: number; pool: NewPoolConfig | PoolConfigChange }) =>
    id === undefined
      ? api('POST /poolConfigs/', { body: pool as NewPoolConfig })
      : api('PUT /poolConfigs/{id}', { params: { id }, body: pool }),
  );

export const useDeletePool = () =>
  useChange('upstreams', ({ api }, id: number) => api('DELETE /poolConfigs/{id}', { params: { id } }));

/** Connects and signs in, for up to ten seconds: a saved pool by its id, or one that is not saved yet. */
export function useTestPool() {
  const api = useApi();
  return useMutation({
    mutationFn: (pool: { id: number } | Omit<NewPoolConfig, 'name'>) => api('POST /poolConfigs/test', { body: pool }),
  });
}
