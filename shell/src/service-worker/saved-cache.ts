/** What is kept for when the pool cannot be reached, by user: the page, its texts and its queries (saved-queries.ts). */

/** What is older is not shown. */
export const MAX_AGE_MS = 7 * 86_400_000;

const nameOf = (userId: string): string => `saved ${userId}`;

export const openedCache = (userId: string): Promise<Cache> => caches.open(nameOf(userId));

/** The user's cache, the only one from then on. */
export async function savedCache(userId: string): Promise<Cache> {
  for (const name of await caches.keys()) if (name !== nameOf(userId)) await caches.delete(name);
  return openedCache(userId);
}

/** `userId`: whose; absent: of the only one that there is. */
export async function savedResponse(url: string, userId?: string): Promise<Response | undefined> {
  const found = await caches.match(url, { cacheName: userId && nameOf(userId), ignoreVary: true });
  return found && Date.now() - Date.parse(found.headers.get('date') ?? '') < MAX_AGE_MS ? found : undefined;
}
