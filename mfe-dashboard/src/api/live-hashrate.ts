/** Current hashrates and the last two hours by the minute. For a legacy user of the whole account. */
import { queryOptions, useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';
import type { RemoteServices } from '@pool/shared';

const liveHashrateQuery = ({ api, session: { account, algorithm, isLegacyUser } }: RemoteServices) =>
  queryOptions({
    queryKey: ['hashrate', 'live', { account, algorithm }],
    queryFn: ({ signal }) =>
      isLegacyUser
        ? api('GET /liveHashchart/', { query: { algorithm }, signal })
        : api('GET /proxyLiveHashchart/', { query: { algorithm, userName: account }, signal }),
  });

export const useLiveHashrate = () => useQuery(liveHashrateQuery(useServices()));
