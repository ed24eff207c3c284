/** All workers of the account by name, at most 10,000; the page filters and sorts them. */
import type { Answer } from '@pool/shared';
import { useServiceQuery } from '@pool/shared/remote';

type LiveWorkers = Answer<'GET /liveWorkers/'>;

export const useLiveWorkers = () =>
  useServiceQuery(({ api, session: { account, algorithm } }) => ({
    queryKey: ['workers', 'live', { account, algorithm }],
    // Comparing 10,000 workers field by field costs more than rendering the forty visible rows again.
    structuralSharing: false,
    // Of a long list only what changed since it was read last.
    queryFn: ({ client, queryKey, signal }) => {
      const known = client.getQueryData<LiveWorkers>(queryKey);
      const query = { userName: account, algorithm, sort: 'name', since: known?.version };
      const latest = api('GET /liveWorkers/', { query, signal });
      // As the client returns it, so that a first view has it in its first pass (shared/src/first-view).
      return known ? latest.then((answer) => withChanges(known, answer)) : latest;
    },
  }));

/** A list with what changed since; an answer without `numbers` is whole. */
function withChanges(known: LiveWorkers, latest: LiveWorkers): LiveWorkers {
  const { numbers, ...answer } = latest;
  if (!numbers) return latest;
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
