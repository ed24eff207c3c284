/** Installs the service worker, or removes it when the server has turned it off. */
import { messageSW, Workbox } from 'workbox-window';
import { BUILD, WORKER_URL } from './names';

const HOUR_MS = 3_600_000;
const KEPT_FILE = /^\/(assets|remotes|vendor|locales)\//;

const meta = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content;

async function remove(): Promise<void> {
  for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
}

/** Files that this page has loaded before there was a worker to keep them. */
const loadedFiles = (): string[] =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${location.origin}/`) && KEPT_FILE.test(new URL(name).pathname));

/** `onNewBuild` is told the name of the shell's build, when another than this page's is deployed. */
export async function register(onNewBuild: (build: string) => void): Promise<void> {
  // Absent in an insecure context, and where the browser forbids workers.
  if (!('serviceWorker' in navigator)) return;
  const own = meta('pool-build');
  if (!own || meta('pool-worker') === 'off') return remove();
  const isFirst = !navigator.serviceWorker.controller;
  const worker = new Workbox(WORKER_URL);
  worker.addEventListener('activated', ({ sw }) => {
    if (sw)
      void messageSW(sw, BUILD).then((build: string) => {
        if (build !== own) onNewBuild(build);
      });
  });
  if (!(await worker.register())) return;
  if (isFirst) void worker.messageSW({ type: 'CACHE_URLS', payload: { urlsToCache: loadedFiles() } });
  setInterval(() => void worker.update().catch(() => undefined), HOUR_MS);
}
