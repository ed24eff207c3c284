/** All workers of the account by name; a long list begins with those in most trouble. */
import type { Answer } from '@pool/shared';
import { useServiceQuery } from '@pool/shared/remote';

export type LiveWorkers = Answer<'GET /liveWorkers/'>;

/** The same text as in the `prefetchCalls` of remote.json. */
const STARTS_WITH = 1000;

/** The list when it has all workers, not the first of them. */
export const wholeOf = (list: LiveWorkers | undefined) => (list?.nextCursor === null ? list : undefined);

export const useLiveWorkers = () =>
  useServiceQuery<LiveWorkers>(({ api, session: { account, algorithm } }) => ({
    queryKey: ['workers', 'live', { account, algorithm }],
    // Comparing 10,000 workers field by field costs more than rendering the forty visible rows again.
    structuralSharing: false,
    // The first part of a long list is shown while the next ones come.
    refetchInterval: ({ state }) => (state.status === 'success' && !wholeOf(state.data) ? 1 : false),
    // A long list answers only what changed since it was read last.
    queryFn: ({ client, queryKey, signal }) => {
      const known = client.getQueryData<LiveWorkers>(queryKey);
      const query = { userName: account, algorithm, sort: 'name' };
      const ask = (more: { since?: string; cursor?: string; worst?: number }) =>
        api('GET /liveWorkers/', { query: { ...query, ...more }, signal });
      // The client returns it so, and a first view has it in its first pass (shared/src/first-view).
      if (!known) return ask({ worst: STARTS_WITH });
      if (known.nextCursor !== null) return ask({ cursor: known.nextCursor }).then((next) => joined(known, next));
      return ask({ since: known.version }).then((answer) => withChanges(known, answer));
    },
  }));

/**
 * A list with its next part. It has the version of its first part: what changed between the two is sent again. A worker
 * that moved to the next part meanwhile stands once. The workers in most trouble, without a version, are in the list
 * that comes after them.
 */
function joined(list: LiveWorkers, next: LiveWorkers): LiveWorkers {
  if (list.version === undefined) return next;
  const workers = new Map([...list.workers, ...next.workers].map((worker) => [worker.id, worker]));
  return { ...next, version: list.version, workers: [...workers.values()] };
}

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
      return { ...worker, measuring: undefined, backSince: undefined, disconnectedAt: undefined, ...figures, spark };
    }),
  };
}
