/** What happened during the chart: outages of the pool, switches, price changes, payouts. */
import type { Timeframe } from '@pool/shared';
import { useServiceQuery } from '@pool/shared/remote';

const REFETCH_MS = 60_000;

export const useChartEvents = (historyTimeframe: Timeframe) =>
  useServiceQuery(({ api, session: { account, algorithm } }) => ({
    queryKey: ['chartEvents', { account, algorithm, historyTimeframe }],
    queryFn: ({ signal }) =>
      api('GET /chartEvents', { query: { historyTimeframe, algorithm, userName: account }, signal }),
    refetchInterval: REFETCH_MS,
  }));
