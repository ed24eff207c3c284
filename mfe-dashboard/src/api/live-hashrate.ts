/**
 * Current hashrates and the last two hours by the minute: of the account, for a legacy user of all accounts together,
 * or of a worker group.
 */
import { queryOptions, useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';
import type { RemoteServices } from '@pool/shared';

const liveHashrateQuery = (
  { api, session: { account, algorithm, isLegacyUser } }: RemoteServices,
  group: string | undefined,
) =>
  queryOptions({
    queryKey: ['hashrate', 'live', { account, algorithm, group }],
    queryFn: ({ signal }) =>
      isLegacyUser && !group
        ? api('GET /liveHashchart/', { query: { algorithm }, signal })
        : api('GET /proxyLiveHashchart/', { query: { algorithm, userName: account, group }, signal }),
  });

export const useLiveHashrate = (group: string | undefined) => useQuery(liveHashrateQuery(useServices(), group));
