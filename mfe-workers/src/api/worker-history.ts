/** Hashrate history of one worker. */
import { queryOptions, useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';
import type { RemoteServices, Timeframe } from '@pool/shared';

const refetchEvery = (timeframe: Timeframe) => (timeframe === 'h2' ? 30_000 : 5 * 60_000);

const workerHistoryQuery = ({ api }: RemoteServices, id: number, historyTimeframe: Timeframe) =>
  queryOptions({
    queryKey: ['worker-hashcharts', id, { historyTimeframe }],
    queryFn: ({ signal }) =>
      api('GET /workers/{id}/hashchart', { params: { id }, query: { historyTimeframe }, signal }),
    refetchInterval: refetchEvery(historyTimeframe),
    // Show the previous timeframe while the next one loads, but never another worker's data.
    placeholderData: (previous, query) => (query?.queryKey[1] === id ? previous : undefined),
  });

export const useWorkerHistory = (id: number, timeframe: Timeframe) =>
  useQuery(workerHistoryQuery(useServices(), id, timeframe));

/** Hashrates of a few workers together, in the order of `ids`. */
export function useWorkerHistories(ids: readonly number[], historyTimeframe: Timeframe) {
  const { api } = useServices();
  return useQuery({
    queryKey: ['worker-hashcharts', 'compared', ids, { historyTimeframe }],
    queryFn: ({ signal }) =>
      Promise.all(
        ids.map((id) => api('GET /workers/{id}/hashchart', { params: { id }, query: { historyTimeframe }, signal })),
      ),
    refetchInterval: refetchEvery(historyTimeframe),
  });
}
