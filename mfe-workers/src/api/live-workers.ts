/** All workers of the account by name, at most 10,000; the page filters and sorts them. */
import type { Answer, RemoteServices } from '@pool/shared';
import { queryOptions, useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';

type LiveWorkers = Answer<'GET /liveWorkers/'>;

const liveWorkersQuery = ({ api, session: { account, algorithm } }: RemoteServices) =>
  queryOptions({
    queryKey: ['workers', 'live', { account, algorithm }],
    // Comparing 10,000 workers field by field costs more than rendering the forty visible rows again.
    structuralSharing: false,
    // Of a long list only what changed since it was read last.
    queryFn: async ({ client, queryKey, signal }) => {
      const known = client.getQueryData<LiveWorkers>(queryKey);
      const query = { userName: account, algorithm, sort: 'name', since: known?.version };
      return withChanges(known, await api('GET /liveWorkers/', { query, signal }));
    },
  });

/** A list with what changed since; an answer without `numbers` is whole. */
function withChanges(known: LiveWorkers | undefined, latest: LiveWorkers): LiveWorkers {
  const { numbers, ...answer } = latest;
  if (!known || !numbers) return latest;
  const whole = new Map(answer.workers.map((worker) => [worker.id, worker]));
  const changed = new Map(numbers.map((worker) => [worker.id, worker]));
  return {
    ...answer,
    workers: known.workers.map((worker) => {
      const figures = changed.get(worker.id);
      if (!figures) return whole.get(worker.id) ?? worker;
      const spark = [...worker.spark.slice(0, worker.spark.length - figures.spark.length), ...figures.spark];
      return { ...worker, measuring: undefined, ...figures, spark };
    }),
  };
}

export const useLiveWorkers = () => useQuery(liveWorkersQuery(useServices()));
