/** What is kept for when the pool cannot be reached, by user: the page, its texts and the last answers (keep.ts). */
import { SAVED_AT } from '@pool/shared/page-start';

/** Older responses are not shown. */
const MAX_AGE_S = 7 * 86_400;

const nameOf = (userId: string): string => `saved ${userId}`;

/** The user's cache, the only one from then on. */
export async function savedCache(userId: string): Promise<Cache> {
  for (const name of await caches.keys()) if (name !== nameOf(userId)) await caches.delete(name);
  return caches.open(nameOf(userId));
}

/** `at`: Unix seconds. */
export function stamped(body: BodyInit | null, headers: Headers, at: number): Response {
  headers.set(SAVED_AT, String(at));
  return new Response(body, { headers });
}

/** `userId`: whose; absent: of the only one that there is. */
export async function savedResponse(url: string, userId?: string): Promise<Response | undefined> {
  const found = await caches.match(url, { cacheName: userId && nameOf(userId), ignoreVary: true });
  return found && Date.now() / 1000 - Number(found.headers.get(SAVED_AT)) < MAX_AGE_S ? found : undefined;
}
