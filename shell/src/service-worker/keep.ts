import { earlyFetch, KEEP_HEADER, SAVED_PAGE } from '@pool/shared/page-start';
import { keptAnswers } from './kept-answers';
import { savedCache, stamped } from './saved-cache';

const WRITE_EVERY_MS = 60_000;
const MAX_ANSWERS = 150;

const now = (): number => Math.floor(Date.now() / 1000);

async function writeAnswers(userId: string): Promise<void> {
  const cache = await savedCache(userId);
  const answers = [...keptAnswers];
  keptAnswers.clear();
  for (const [url, { at, data }] of answers)
    await cache.put(url, stamped(JSON.stringify(data), new Headers({ 'content-type': 'application/json' }), at));
  const kept = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith('/api/'));
  for (const oldest of kept.slice(0, -MAX_ANSWERS)) await cache.delete(oldest);
}

/** The page as it is for when there is no pool, and the texts that this page has loaded. */
async function writePage(userId: string): Promise<void> {
  const cache = await savedCache(userId);
  const page = await earlyFetch(SAVED_PAGE, { headers: { accept: 'text/html' } });
  if (page.headers.get(KEEP_HEADER) !== userId) return;
  await cache.put(SAVED_PAGE, stamped(page.body, new Headers(page.headers), now()));
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
  for (const url of new Set(loaded.filter((path) => path.startsWith('/locales/')))) {
    const texts = await earlyFetch(url, { cache: 'force-cache' });
    if (texts.ok) await cache.put(url, stamped(texts.body, new Headers(texts.headers), now()));
  }
}

/** Keeps the user's page and answers from now on. Resolves when the page is kept. */
export async function keep(userId: string): Promise<void> {
  // What cannot be kept (a full disk) is missing later, not now.
  const write = () => void writeAnswers(userId).catch(() => undefined);
  write();
  setInterval(write, WRITE_EVERY_MS);
  document.addEventListener('visibilitychange', write);
  await writePage(userId);
}
