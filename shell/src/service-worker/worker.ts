/**
 * The service worker (docs/adr/0013): immutable files from the cache, pages and texts from the network with the last
 * ones as a fallback, answers from the network and a copy of those that the server allows to keep.
 */
import { KEEP_HEADER } from '@pool/shared/config';
import { ExpirationPlugin } from 'workbox-expiration';
import { enable as enableNavigationPreload } from 'workbox-navigation-preload';
import { registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkFirst } from 'workbox-strategies';
import { worker, type FetchEvent } from './globals';
import { BUILD, FORGET } from './names';
import { currentEra, forget, keepAnswer, keepPage, savedAnswer, savedPage } from './saved';

const DAY_S = 86_400;
/** What could not be kept (a full disk) is missing later, not now. */
const ignore = () => undefined;
/** A pool that takes longer to answer counts as one that does not answer, if there is something to show instead. */
const PATIENCE_S = 4;

const files = new CacheFirst({
  cacheName: 'files',
  plugins: [
    {
      // Files of gated remotes are not: whoever loses the role loses the files.
      cacheWillUpdate: async ({ response }) =>
        response.status === 200 && response.headers.get('cache-control')?.includes('immutable') ? response : null,
    },
    new ExpirationPlugin({ maxEntries: 300, maxAgeSeconds: 60 * DAY_S, purgeOnQuotaError: true }),
  ],
});
registerRoute(({ url, sameOrigin }) => sameOrigin && /^\/(assets|remotes|vendor)\//.test(url.pathname), files);

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/locales/'),
  new NetworkFirst({
    cacheName: 'texts',
    networkTimeoutSeconds: PATIENCE_S,
    plugins: [new ExpirationPlugin({ maxEntries: 40, maxAgeSeconds: 60 * DAY_S })],
  }),
);

/** Calls of the pages; streams and downloads ask for other types. */
registerRoute(
  ({ url, request, sameOrigin }) =>
    sameOrigin && url.pathname.startsWith('/api/') && request.headers.get('accept') === 'application/json',
  async ({ request, event }) => {
    if (request.cache === 'only-if-cached') return savedAnswer(request);
    const era = currentEra();
    const answer = await fetch(request);
    if (answer.headers.has(KEEP_HEADER)) event.waitUntil(keepAnswer(request.url, answer.clone(), era).catch(ignore));
    return answer;
  },
);

/** Pages that are nobody's: they are not kept, and another page is not shown in their place. */
const OWN_PAGE = /^\/(?!(watch|admin\/view|sign-in|sign-up|api|__clerk)(\/|$))/;

async function openPage({ request, event, url }: { request: Request; event: FetchEvent; url: URL }): Promise<Response> {
  const era = currentEra();
  const fresh = (async () => (await event.preloadResponse) ?? fetch(request))();
  const keep = (answer: Response) => {
    const whose = answer.headers.get(KEEP_HEADER);
    return whose === 'none' ? forget() : whose ? keepPage(answer.clone(), era) : undefined;
  };
  event.waitUntil(fresh.then(keep).catch(ignore));
  const late = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_S * 1000, null));
  const answer = await Promise.race([fresh.catch(() => null), late]);
  if (answer && answer.status < 500) return answer;
  return (OWN_PAGE.test(url.pathname) && (await savedPage())) || fresh;
}
registerRoute(
  ({ request }) => request.mode === 'navigate',
  ({ request, event, url }) => openPage({ request, url, event: event as FetchEvent }),
);
enableNavigationPreload();

worker.addEventListener('install', (event) => {
  // Pages ask for files by hashed names, so open ones and new ones are served alike: nobody has to wait.
  event.waitUntil(worker.skipWaiting());
  for (const url of worker.poolBuild.files)
    event.waitUntil(files.handle({ event: event as never, request: new Request(url) }));
});
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener('message', (event) => {
  if (event.data === FORGET) event.waitUntil(forget());
  if (event.data === BUILD) event.ports[0]?.postMessage(worker.poolBuild.name);
});
