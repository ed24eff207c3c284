import type { CallOptions } from '@pool/shared';
import { subAccountIdOf } from '@pool/shared/remote';
import { useChange } from './use-change';

/** Makes a group in the selected sub-account, or in the one that is named. */
export const useMakeGroup = () =>
  useChange('workers', async (services, { name, of }: { name: string; of?: number | undefined }) =>
    services.api('POST /workerGroups/', { body: { name, subAccountId: of ?? (await subAccountIdOf(services)) } }),
  );

type GroupChange = NonNullable<CallOptions<'PUT /workerGroups/{name}'>['body']>;

export const useChangeGroup = () =>
  useChange('workers', async (services, { name, change }: { name: string; change: GroupChange }) =>
    services.api('PUT /workerGroups/{name}', {
      params: { name },
      query: { subAccountId: await subAccountIdOf(services) },
      body: change,
    }),
  );

export const useDeleteGroup = () =>
  useChange('workers', async (services, name: string) =>
    services.api('DELETE /workerGroups/{name}', {
      params: { name },
      query: { subAccountId: await subAccountIdOf(services) },
    }),
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
