/** Installs the service worker, or removes it when the server has turned it off. */
import { META_BUILD, META_WORKER, readMeta, earlyFetch, KEEP_HEADER, SAVED_PAGE } from '@pool/shared/page-start';
import { forgetUser, storedUser } from '../auth/user-storage';
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
async function keep(userId: string): Promise<void> {
  // What cannot be kept (a full disk) is missing later, not now.
  const write = () => void writeAnswers(userId).catch(() => undefined);
  write();
  setInterval(write, WRITE_EVERY_MS);
  document.addEventListener('visibilitychange', write);
  await writePage(userId);
}

const WORKER_URL = '/service-worker.js';
const HOUR_MS = 3_600_000;

/** `onNewBuild` is told the name of the shell's build, when another than this page's is deployed. */
export async function register(onNewBuild: (build: string) => void): Promise<void> {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  // Absent in an insecure context, and where the browser forbids workers.
  if (!serviceWorker) return;
  const own = readMeta(META_BUILD);
  if (!own || readMeta(META_WORKER) === 'off') {
    for (const registration of await serviceWorker.getRegistrations()) await registration.unregister();
    return forgetUser();
  }
  // A worker that starts tells its build.
  serviceWorker.onmessage = ({ data }: MessageEvent<string>) => {
    if (data !== own) onNewBuild(data);
  };
  const user = storedUser();
  // First, so that the worker has the page from the moment it runs.
  if (user) await keep(user).catch(() => undefined);
  const registration = await serviceWorker.register(WORKER_URL);
  setInterval(() => void registration.update().catch(() => undefined), HOUR_MS);
}
