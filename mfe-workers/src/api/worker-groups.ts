import type { CallOptions } from '@pool/shared';
import type { RemoteServices } from '@pool/shared';
import { useMutation, useQueryClient } from '@pool/shared/query';
import { useServices, useSubAccountId } from '@pool/shared/remote';

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

/** Without a selected sub-account the server refuses. */
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

export type Bulk = NonNullable<CallOptions<'POST /workers/bulk'>['body']>;
/** Number of workers that the server takes at once. */
const AT_ONCE = 50_000;

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
