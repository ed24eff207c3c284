/**
 * Hashrate history of the account in one timeframe, except `h2`, which is in the live query. The `hashrate` events
 * (every 5 s) do not invalidate its key: a new point comes every ten minutes at most.
 */
import { queryOptions, useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';
import { TIMEFRAMES, type RemoteServices, type Timeframe } from '@pool/shared';

const hashrateHistoryQuery = (
  { api, session: { account, algorithm, isLegacyUser } }: RemoteServices,
  historyTimeframe: Timeframe,
) =>
  queryOptions({
    queryKey: ['hashcharts', account, algorithm, { historyTimeframe }],
    queryFn: ({ signal }) =>
      isLegacyUser
        ? api('GET /hashchart/', { query: { historyTimeframe, algorithm }, signal })
        : api('GET /proxyHashchart/', { query: { historyTimeframe, algorithm, userName: account }, signal }),
    // A new point comes once a step; refetch four times as often.
    refetchInterval: Math.min(TIMEFRAMES[historyTimeframe].step * 250, 15 * 60_000),
    // Show the previous timeframe while the next one loads, but never another account's data.
    placeholderData: (previous, query) =>
      query?.queryKey[1] === account && query.queryKey[2] === algorithm ? previous : undefined,
  });

export const useHashrateHistory = (timeframe: Timeframe, enabled: boolean) =>
  useQuery({ ...hashrateHistoryQuery(useServices(), timeframe), enabled });
