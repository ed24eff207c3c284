/** The groups of the account's workers, and changes of groups and of many workers. */
import type { CallOptions } from '@pool/shared';
import type { RemoteServices } from '@pool/shared';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';
import { useSubAccountId } from './sub-account';

const workerGroupsQuery = ({ api, session: { account } }: RemoteServices) =>
  queryOptions({
    queryKey: ['workers', 'groups', { account }],
    queryFn: ({ signal }) => api('GET /workerGroups/', { signal }),
  });

/** Names of the account's groups: the answer has those of all sub-accounts. */
export function useWorkerGroups() {
  const subAccountId = useSubAccountId();
  const services = useServices();
  const query = useQuery({ ...workerGroupsQuery(services), enabled: services.ability.can('read', 'account') });
  return {
    ...query,
    data: subAccountId === undefined ? undefined : query.data?.filter((group) => group.subAccountId === subAccountId),
  };
}

/** A change of workers or groups: everything about workers is read again. */
function useWorkersChange<Variables, Result>(
  change: (services: RemoteServices, subAccountId: number | undefined, variables: Variables) => Promise<Result>,
) {
  const services = useServices();
  const subAccountId = useSubAccountId();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => change(services, subAccountId, variables),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['workers'] }),
  });
}

/** Without a selected sub-account the server refuses (specification 5). */
export const useMakeGroup = () =>
  useWorkersChange(({ api }, subAccountId, name: string) =>
    api('POST /workerGroups/', { body: { name, subAccountId: subAccountId ?? null } }),
  );

export const useRenameGroup = () =>
  useWorkersChange(({ api }, subAccountId, { name, next }: { name: string; next: string }) =>
    api('PUT /workerGroups/{name}', { params: { name }, query: { subAccountId }, body: { name: next } }),
  );

export const useDeleteGroup = () =>
  useWorkersChange(({ api }, subAccountId, name: string) =>
    api('DELETE /workerGroups/{name}', { params: { name }, query: { subAccountId } }),
  );

type Bulk = NonNullable<CallOptions<'POST /workers/bulk'>['body']>;
/** As many as the server takes at once. */
const AT_ONCE = 5000;

/** Changes many workers; answers how many. */
export const useBulk = () =>
  useWorkersChange(async ({ api }, _, { ids, ...change }: Bulk) => {
    let changed = 0;
    for (let from = 0; from < ids.length; from += AT_ONCE)
      changed += (await api('POST /workers/bulk', { body: { ids: ids.slice(from, from + AT_ONCE), ...change } }))
        .changed;
    return changed;
  });

export const useAlertLimit = () =>
  useWorkersChange(({ api }, _, { id, alertLimit }: { id: number; alertLimit: number }) =>
    api('PUT /workers/{id}', { params: { id }, body: { alertLimit } }),
  );
