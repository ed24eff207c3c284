/** Installs the service worker, or removes it when the server has turned it off. */
import { META_BUILD, META_WORKER, readMeta } from '@pool/shared/page-start';
import { forgetUser, storedUser } from '../auth/user-storage';
import { keep } from './keep';

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
