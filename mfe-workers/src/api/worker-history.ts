/** Hashrate history of one worker. */
import { queryOptions, useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';
import type { RemoteServices, Timeframe } from '@pool/shared';

const workerHistoryQuery = ({ api }: RemoteServices, id: number, historyTimeframe: Timeframe) =>
  queryOptions({
    queryKey: ['worker-hashcharts', id, { historyTimeframe }],
    queryFn: ({ signal }) =>
      api('GET /workers/{id}/hashchart', { params: { id }, query: { historyTimeframe }, signal }),
    refetchInterval: historyTimeframe === 'h2' ? 30_000 : 5 * 60_000,
    // Show the previous timeframe while the next one loads, but never another worker's data.
    placeholderData: (previous, query) => (query?.queryKey[1] === id ? previous : undefined),
  });

export const useWorkerHistory = (id: number, timeframe: Timeframe) =>
  useQuery(workerHistoryQuery(useServices(), id, timeframe));
