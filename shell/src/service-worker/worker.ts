/** The service worker (docs/adr/0013): pages from the network, else the saved page. Shows what is pushed. */
import { KEEP_HEADER, SAVED_PAGE } from '@pool/shared/page-start';
import { worker, type FetchEvent } from './globals';
import { savedResponse } from './saved-cache';

/** A pool that takes longer to answer counts as one that does not answer, if there is something to show instead. */
const PATIENCE_MS = 4_000;
/** Public pages and another user's pages: the saved page, which is the user's own, must not replace them. */
const OWN_PAGE = /^\/(?!(watch|view-as|sign-in|sign-up|api|__clerk)(\/|$))/;

async function forget(): Promise<void> {
  for (const name of await caches.keys()) await caches.delete(name);
}

async function openPage({ request }: FetchEvent, fresh: Promise<Response>): Promise<Response> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MS, null));
  const answer = await Promise.race([fresh.catch(() => null), late]);
  if (answer && answer.status < 500) return answer;
  return (OWN_PAGE.test(new URL(request.url).pathname) && (await savedResponse(SAVED_PAGE))) || fresh;
}

worker.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  const fresh = (async () => (await event.preloadResponse) ?? fetch(event.request))();
  event.waitUntil(
    fresh.then(
      // Nobody is signed in.
      (answer) => (answer.headers.get(KEEP_HEADER) === 'none' ? forget() : undefined),
      () => undefined,
    ),
  );
  event.respondWith(openPage(event, fresh));
});

worker.addEventListener('install', (event) => {
  const modes = ['cors', 'no-cors', 'same-origin'] as const;
  const route = { condition: { or: modes.map((requestMode) => ({ requestMode })) }, source: 'network' } as const;
  // The browser does not start the worker for what these modes ask for.
  void event.addRoutes?.(route).catch(() => undefined);
  // Pages ask for files by hashed names, so open ones and new ones are served alike: nobody has to wait.
  event.waitUntil(worker.skipWaiting());
});

async function takeOver(): Promise<void> {
  await worker.clients.claim();
  await worker.registration.navigationPreload?.enable();
  for (const client of await worker.clients.matchAll()) client.postMessage(worker.poolBuild);
}
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()));

/** `path`: of the page that a click opens (api/src/messages/push/forward.ts). */
type Pushed = { text: string; path: string; tag?: string };
worker.addEventListener('push', (event) => {
  const { text, path, tag } = (event.data?.json() ?? { text: '', path: '/' }) as Pushed;
  const [title = '', ...more] = text.split('\n');
  const shown = { body: more.join('\n'), data: path, tag };
  event.waitUntil(worker.registration.showNotification(title, shown));
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  // A window of its own: what was typed in an open one stays.
  event.waitUntil(worker.clients.openWindow(String(event.notification.data)));
});
