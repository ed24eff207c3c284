/** Queries that the browser keeps for when the pool cannot be reached, in the user's cache. */
import type { Query } from '@pool/shared/query';
import { keptQueries } from './persister';
import { MAX_AGE_MS, openedCache, savedCache } from './saved-cache';

/** Paths of this page's own. */
const PATH = '/saved-queries/';
const MAX_QUERIES = 150;

export type SavedQuery = Pick<Query, 'queryKey' | 'state'>;

async function requestsIn(cache: Cache): Promise<Request[]> {
  return (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith(PATH));
}

/** Writes what may be kept and is new. */
export async function saveQueries(userId: string): Promise<void> {
  const cache = await savedCache(userId);
  const queries = [...keptQueries];
  keptQueries.clear();
  for (const { queryHash, queryKey, state } of queries)
    await cache.put(PATH + encodeURIComponent(queryHash), Response.json({ queryKey, state } satisfies SavedQuery));
  for (const oldest of (await requestsIn(cache)).slice(0, -MAX_QUERIES)) await cache.delete(oldest);
}

export async function savedQueries(userId: string): Promise<SavedQuery[]> {
  const cache = await openedCache(userId);
  const read = async (request: Request) => (await cache.match(request))!.json() as Promise<SavedQuery>;
  const queries = await Promise.all((await requestsIn(cache)).map(read));
  return queries.filter(({ state }) => Date.now() - state.dataUpdatedAt < MAX_AGE_MS);
}
