/**
 * Hashrate history of the account in one timeframe (all but `h2`, which is the live query's).
 * Its key is none of the live events': a point that comes every ten minutes need not be asked for every five seconds.
 */
import { queryOptions, useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';
import { TIMEFRAMES, type RemoteServices, type Timeframe } from '@pool/shared';

export const hashrateHistoryQuery = (
  { api, session: { account, algorithm, isLegacyUser } }: RemoteServices,
  historyTimeframe: Timeframe,
) =>
  queryOptions({
    queryKey: ['hashcharts', account, algorithm, { historyTimeframe }],
    queryFn: ({ signal }) =>
      isLegacyUser
        ? api('GET /hashchart/', { query: { historyTimeframe, algorithm }, signal })
        : api('GET /proxyHashchart/', { query: { historyTimeframe, algorithm, userName: account }, signal }),
    // A new point comes once a step; asking four times as often keeps it fresh.
    refetchInterval: Math.min(TIMEFRAMES[historyTimeframe].step * 250, 15 * 60_000),
    // Another timeframe keeps the chart in place meanwhile; another account must not show this one's.
    placeholderData: (previous, query) =>
      query?.queryKey[1] === account && query.queryKey[2] === algorithm ? previous : undefined,
  });

export const useHashrateHistory = (timeframe: Timeframe, enabled: boolean) =>
  useQuery({ ...hashrateHistoryQuery(useServices(), timeframe), enabled });
