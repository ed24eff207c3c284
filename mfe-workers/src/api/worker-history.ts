/** Hashrate histories of a worker, and of what is compared. */
import type { Series, Timeframe } from '@pool/shared';
import { useServiceQuery } from '@pool/shared/remote';

const refetchEvery = (timeframe: Timeframe) => (timeframe === 'h2' ? 30_000 : 5 * 60_000);

export const useWorkerHistory = (id: number, historyTimeframe: Timeframe) =>
  useServiceQuery(({ api }) => ({
    queryKey: ['worker-hashcharts', id, { historyTimeframe }],
    queryFn: ({ signal }) =>
      api('GET /workers/{id}/hashchart', { params: { id }, query: { historyTimeframe }, signal }),
    refetchInterval: refetchEvery(historyTimeframe),
    // Show the previous timeframe while the next one loads, but never another worker's data.
    placeholderData: (previous, query) => (query?.queryKey[1] === id ? previous : undefined),
  }));

/** How much of the last day and week a worker mined, and its model. */
export const useWorkerUptime = (id: number) =>
  useServiceQuery(({ api }) => ({
    queryKey: ['worker-uptime', id],
    queryFn: ({ signal }) => api('GET /workers/{id}/uptime', { params: { id }, signal }),
    refetchInterval: refetchEvery('d1'),
  }));

/** Whose hashrates: of a worker by its id, of a group of the account, of an account of the user, by their names. */
export type Whose = { worker: number } | { group: string } | { account: string };

/** A few hashrates together, in the order of `all`. */
export const useHistories = (all: readonly Whose[], historyTimeframe: Timeframe) =>
  useServiceQuery(({ api, session: { account, algorithm } }) => ({
    queryKey: ['worker-hashcharts', 'compared', all, { account, algorithm, historyTimeframe }],
    queryFn: ({ signal }) =>
      Promise.all(
        all.map((whose): Promise<Series> => {
          if ('worker' in whose)
            return api('GET /workers/{id}/hashchart', {
              params: { id: whose.worker },
              query: { historyTimeframe },
              signal,
            });
          const of = 'group' in whose ? { userName: account, group: whose.group } : { userName: whose.account };
          return api('GET /proxyHashchart/', { query: { historyTimeframe, algorithm, ...of }, signal });
        }),
      ),
    refetchInterval: refetchEvery(historyTimeframe),
  }));
