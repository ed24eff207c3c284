/** The account's lists of upstream pools, best first, with the state of each; and their changes. */
import type { RemoteServices, SubAccountPoolConfig } from '@pool/shared';
import { useMutation, useQueryClient } from '@pool/shared/query';
import { subAccountIdOf, useServices, useSubAccountId, useServiceQuery } from '@pool/shared/remote';

const keyOf = ({ session: { account } }: RemoteServices) => ['upstreams', 'lists', { account }];

export const usePoolLists = () =>
  useServiceQuery((services) => ({
    queryKey: keyOf(services),
    queryFn: async ({ signal }) =>
      services.api('GET /subAccountPoolConfigs', { query: { subAccountId: await subAccountIdOf(services) }, signal }),
  }));

/** A change that answers with the account's lists. Where its miners go now, and who uses which pool, is read again. */
function useListChange<Variables>(
  change: (services: RemoteServices, subAccountId: number, variables: Variables) => Promise<SubAccountPoolConfig[]>,
) {
  const services = useServices();
  const subAccountId = useSubAccountId();
  const queryClient = useQueryClient();
  return useMutation({
    // One after the other: the second of two quick moves must not arrive first.
    scope: { id: 'pool-lists' },
    mutationFn: (variables: Variables) => change(services, subAccountId ?? 0, variables),
    onSuccess: (lists) => queryClient.setQueryData(keyOf(services), lists),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['upstreams'] }),
  });
}

/** A new order of one list: its whole ids. Refused with 409 when the list has changed meanwhile. */
export const useReorder = () =>
  useListChange(
    ({ api }, subAccountId, { algo, ids }: { algo: SubAccountPoolConfig['algo']; ids: readonly number[] }) =>
      api('PUT /subAccountPoolConfigs/reorder', {
        body: { reorderedConfigs: ids.map((id) => ({ id, algo, subAccountId })) },
      }),
  );

export const useEnable = () =>
  useListChange(({ api }, _, { id, enabled }: { id: number; enabled: boolean }) =>
    api('PUT /subAccountPoolConfigs/{id}', { params: { id }, body: { enabled } }),
  );

export const useAddToList = () =>
  useListChange(({ api }, subAccountId, poolConfigId: number) =>
    api('POST /subAccountPoolConfigs', { query: { subAccountId }, body: { poolConfigId } }),
  );

export const useTakeOut = () =>
  useListChange(({ api }, _, id: number) => api('DELETE /subAccountPoolConfigs/{id}', { params: { id } }));
