/** What happened during the chart: outages of the pool, switches, price changes, payouts. */
import type { Timeframe } from '@pool/shared';
import { useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';

const REFETCH_MS = 60_000;

export function useChartEvents(historyTimeframe: Timeframe) {
  const { api, session } = useServices();
  const { account, algorithm } = session;
  return useQuery({
    queryKey: ['chartEvents', { account, algorithm, historyTimeframe }],
    queryFn: ({ signal }) =>
      api('GET /chartEvents', { query: { historyTimeframe, algorithm, userName: account }, signal }),
    refetchInterval: REFETCH_MS,
  });
}
