/**
 * Hashrate history of the account, or of a worker group, in one timeframe, except `h2`, which is in the live query. The
 * `hashrate` events (every 5 s) do not invalidate its key: a new point comes every ten minutes at most.
 */
import { TIMEFRAMES, type Timeframe } from '@pool/shared';
import { useServiceQuery } from '@pool/shared/remote';

/** `daysBefore`: the same timeframe, ended so many days earlier. */
type Chart = { timeframe: Timeframe; group: string | undefined; daysBefore?: number };

export const useHashrateHistory = ({ timeframe: historyTimeframe, group, daysBefore }: Chart, enabled: boolean) =>
  useServiceQuery(({ api, session: { account, algorithm, isLegacyUser } }) => ({
    enabled,
    queryKey: ['hashcharts', account, algorithm, group, { historyTimeframe, daysBefore }],
    queryFn: ({ signal }) =>
      isLegacyUser && !group
        ? api('GET /hashchart/', { query: { historyTimeframe, daysBefore, algorithm }, signal })
        : api('GET /proxyHashchart/', {
            query: { historyTimeframe, daysBefore, algorithm, userName: account, group },
            signal,
          }),
    // A new point comes once a step; refetch four times as often.
    refetchInterval: Math.min(TIMEFRAMES[historyTimeframe].step * 250, 15 * 60_000),
    // Show the previous timeframe while the next one loads, but never another account's or group's data.
    placeholderData: (previous, query) =>
      [account, algorithm, group].every((of, i) => query?.queryKey[i + 1] === of) ? previous : undefined,
  }));
