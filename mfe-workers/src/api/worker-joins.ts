/** Workers that look like one that has gone, and what was joined in the last week. */
import { ALL_ACCOUNTS, type CallOptions } from '@pool/shared';
import { useServiceQuery } from '@pool/shared/remote';
import { useChange } from './use-change';

export const useWorkerJoins = () =>
  useServiceQuery(({ api, session: { account, algorithm }, ability }) => ({
    // A name is of one sub-account.
    enabled: ability.can('manage', 'workers') && account !== ALL_ACCOUNTS,
    queryKey: ['workers', 'joins', { account, algorithm }],
    queryFn: ({ signal }) => api('GET /workerJoins', { query: { userName: account, algorithm }, signal }),
  }));

export type Join = NonNullable<CallOptions<'POST /workerJoins'>['body']>;

/** `onJoined`: before the lists are read again, in which the new names have no worker of their own. */
export const useJoin = (onJoined: (body: Join) => void) =>
  useChange('workers', async ({ api, session: { account, algorithm } }, body: Join) => {
    await api('POST /workerJoins', { query: { userName: account, algorithm }, body });
    onJoined(body);
  });

export const usePart = () =>
  useChange('workers', ({ api, session: { account, algorithm } }, joins: readonly { id: number }[]) =>
    api('POST /workerJoins/part', {
      query: { userName: account, algorithm },
      body: { ids: joins.map(({ id }) => id) },
    }),
  );
