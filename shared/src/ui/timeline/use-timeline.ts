import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { TimelineKind } from '../../contract/timeline';
import { useServices } from '../../react/services';

const REFETCH_MS = 60_000;

/** `kinds` left out: all; `since`: Unix seconds; `limit`: entries of a page. */
export type TimelineWanted = {
  kinds?: readonly TimelineKind[];
  since?: number;
  limit?: number;
  /** Only the events of this worker. */
  worker?: number;
  /** Not only of the algorithm that is chosen. */
  everyAlgorithm?: boolean;
};

/** What happened to the selected account, newest first, page by page. */
export function useTimeline({ everyAlgorithm = false, kinds, ...wanted }: TimelineWanted = {}) {
  const { api, session } = useServices();
  const algorithm = everyAlgorithm ? undefined : session.algorithm;
  const asked = { userName: session.account, algorithm, kinds: kinds && [...kinds], ...wanted };
  const query = useInfiniteQuery({
    // Live events of workers ask for a worker's own again.
    queryKey: [wanted.worker === undefined ? 'timeline' : 'workers', { account: session.account, ...asked }],
    queryFn: ({ pageParam: cursor, signal }) => api('GET /timeline', { query: { ...asked, cursor }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // All pages would be asked for again: what is read further down does not wait for news.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : REFETCH_MS),
  });
  const { data } = query;
  return { query, entries: useMemo(() => data?.pages.flatMap(({ rows }) => rows), [data]) };
}
