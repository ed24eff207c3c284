import type { CallOptions } from '@pool/shared';
import { useChange } from './use-change';

/** Renames a group; null: makes it, which the server refuses without a selected sub-account. */
export const useSaveGroup = () =>
  useChange('workers', ({ api }, { name, next }: { name: string | null; next: string }, subAccountId) =>
    name === null
      ? api('POST /workerGroups/', { body: { name: next, subAccountId: subAccountId ?? null } })
      : api('PUT /workerGroups/{name}', { params: { name }, query: { subAccountId }, body: { name: next } }),
  );

export const useDeleteGroup = () =>
  useChange('workers', ({ api }, name: string, subAccountId) =>
    api('DELETE /workerGroups/{name}', { params: { name }, query: { subAccountId } }),
  );

export type Bulk = NonNullable<CallOptions<'POST /workers/bulk'>['body']>;
/** Number of workers that the server takes at once. */
const AT_ONCE = 50_000;

export const useBulk = () =>
  useChange('workers', async ({ api }, { ids, ...change }: Bulk) => {
    let changed = 0;
    for (let from = 0; from < ids.length; from += AT_ONCE)
      changed += (await api('POST /workers/bulk', { body: { ids: ids.slice(from, from + AT_ONCE), ...change } }))
        .changed;
    return changed;
  });

export const useAlertLimit = () =>
  useChange('workers', ({ api }, { id, alertLimit }: { id: number; alertLimit: number }) =>
    api('PUT /workers/{id}', { params: { id }, body: { alertLimit } }),
  );
