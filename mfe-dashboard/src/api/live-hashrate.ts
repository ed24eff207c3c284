/**
 * Current hashrates and the last two hours by the minute: of the account, for a legacy user of all accounts together,
 * or of a worker group.
 */
import { useServiceQuery } from '@pool/shared/remote';

export const useLiveHashrate = (group: string | undefined) =>
  useServiceQuery(({ api, session: { account, algorithm, isLegacyUser } }) => ({
    queryKey: ['hashrate', 'live', { account, algorithm, group }],
    queryFn: ({ signal }) =>
      isLegacyUser && !group
        ? api('GET /liveHashchart/', { query: { algorithm }, signal })
        : api('GET /proxyLiveHashchart/', { query: { algorithm, userName: account, group }, signal }),
  }));
