/**
 * What is kept for when the pool cannot be reached: the last page and the last answers of one user, in a cache named
 * after the user. The server says whose an answer is (KEEP_HEADER); the caches of all others are deleted first.
 */
import { KEEP_HEADER } from '@pool/shared/config';
import { SAVED_AT, USER_HEADER } from './names';

const PREFIX = 'saved ';
const PAGE = '/saved-page';
const MAX_ANSWERS = 150;
/** Older ones are not shown. */
const MAX_AGE_S = 7 * 86_400;

const nameOf = (user: string): string => PREFIX + user;
const savedNames = async (): Promise<string[]> => (await caches.keys()).filter((name) => name.startsWith(PREFIX));
const deleteAll = (names: readonly string[]) => Promise.all(names.map((name) => caches.delete(name)));
const seconds = (): number => Math.floor(Date.now() / 1000);

let owner: string | null = null;
let era = 0;

/** The time between two sign-outs: what was asked for in an earlier one is not kept. */
export const currentEra = (): number => era;

export async function forget(): Promise<void> {
  era += 1;
  owner = null;
  await deleteAll(await savedNames());
}

/** The user's cache, the only one from then on; null when the user has left meanwhile. */
async function cacheOf(user: string, since: number): Promise<Cache | null> {
  if (since !== era) return null;
  if (owner !== user) {
    owner = user;
    await deleteAll((await savedNames()).filter((name) => name !== nameOf(user)));
  }
  const cache = await caches.open(nameOf(user));
  if (since === era && owner === user) return cache;
  // A cache opened before the sign-out is gone; one opened after it is not to be.
  await caches.delete(nameOf(user));
  return null;
}

function withTime(answer: Response, body: BodyInit | null): Response {
  const headers = new Headers(answer.headers);
  headers.set(SAVED_AT, String(seconds()));
  return new Response(body, { status: answer.status, headers });
}

async function currentUser(): Promise<string | null> {
  owner ??= (await savedNames())[0]?.slice(PREFIX.length) ?? null;
  return owner;
}

/** Keeps an answer as the server allows. `since`: the era in which it was asked for. */
export async function keepAnswer(url: string, answer: Response, since: number): Promise<void> {
  const allowed = answer.headers.get(KEEP_HEADER);
  if (!answer.ok || !allowed) return;
  const user = allowed === '*' ? await currentUser() : allowed;
  const cache = user && (await cacheOf(user, since));
  if (!cache) return;
  await cache.put(url, withTime(answer, answer.body));
  const answers = (await cache.keys()).filter((kept) => !kept.url.endsWith(PAGE));
  await Promise.all(answers.slice(0, -MAX_ANSWERS).map((oldest) => cache.delete(oldest)));
}

/** A page's first view, and the answers it holds (api/src/web/first-view). */
const VIEW =
  /<link rel="expect"[^>]*>|<meta name="pool-view"[^>]*>|<div class="sk-view".*?<\/template><\/div><i id="first-view-end" hidden><\/i>/gs;
const HELD = /<script type="application\/json" id="pool-held">(.*?)<\/script>/s;

/**
 * Keeps the page, marked with the time: its scripts read there that it is a saved one. The answers it holds are kept as
 * if they had come by themselves.
 */
export async function keepPage(answer: Response, since: number): Promise<void> {
  const user = answer.headers.get(KEEP_HEADER);
  const cache = user && answer.ok && (await cacheOf(user, since));
  if (!cache) return;
  const page = await answer.text();
  const { answers } = JSON.parse(HELD.exec(page)?.[1] ?? '{"answers":{}}') as { answers: Record<string, unknown> };
  for (const [url, data] of Object.entries(answers))
    await cache.put(url, withTime(Response.json(data), JSON.stringify(data)));
  const mark = `<head><meta name="${SAVED_AT}" content="${seconds()}">`;
  const bare = page.replace(HELD, '').replace(VIEW, '').replace('<head>', mark);
  await cache.put(PAGE, withTime(answer, bare));
}

async function find(user: string | null, key: string): Promise<Response | undefined> {
  const found = user ? await caches.match(key, { cacheName: nameOf(user), ignoreVary: true }) : undefined;
  return found && seconds() - Number(found.headers.get(SAVED_AT)) < MAX_AGE_S ? found : undefined;
}

export const savedPage = async (): Promise<Response | undefined> => find(await currentUser(), PAGE);

/** The kept answer of the user the request names, or a network error. */
export const savedAnswer = async ({ url, headers }: Request): Promise<Response> =>
  (await find(headers.get(USER_HEADER), url)) ?? Response.error();
