/** Installs the service worker, or removes it when the server has turned it off. */
import { earlyFetch, KEEP_HEADER, SAVED_PAGE } from '@pool/shared/page-start';
import { forgetUser, storedUser } from '../auth/user-storage';
import { readConfig } from '../config';
import { build } from '../remotes/integrity';
import { savedCache } from './saved-cache';
import { saveQueries } from './saved-queries';

const WRITE_EVERY_MS = 60_000;

/** The page as it is for when there is no pool, and the texts that this page has loaded. */
async function writePage(userId: string): Promise<void> {
  const cache = await savedCache(userId);
  const page = await earlyFetch(SAVED_PAGE, { headers: { accept: 'text/html' } });
  if (page.headers.get(KEEP_HEADER) !== userId) return;
  await cache.put(SAVED_PAGE, page);
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
  for (const url of new Set(loaded.filter((path) => path.startsWith('/locales/')))) {
    const texts = await earlyFetch(url, { cache: 'force-cache' });
    if (texts.ok) await cache.put(url, texts);
  }
}

/** Keeps the user's page and queries from now on. Resolves when the page is kept. */
async function keep(userId: string): Promise<void> {
  // What cannot be kept (a full disk) is missing later, not now.
  const write = () => {
    // A page that is left after the sign-out writes nothing.
    if (storedUser() === userId) void saveQueries(userId).catch(() => undefined);
  };
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
  const { name } = build;
  if (name === null || readConfig().noWorker) {
    for (const registration of await serviceWorker.getRegistrations()) await registration.unregister();
    return forgetUser();
  }
  // A worker that starts tells its build.
  serviceWorker.onmessage = ({ data }: MessageEvent<string>) => {
    if (data !== name) onNewBuild(data);
  };
  const user = storedUser();
  // First, so that the worker has the page from the moment it runs.
  if (user) await keep(user).catch(() => undefined);
  const registration = await serviceWorker.register(WORKER_URL);
  setInterval(() => void registration.update().catch(() => undefined), HOUR_MS);
}
