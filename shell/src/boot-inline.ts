/** Inline in the page, before the first paint: mode, language and direction, and the first API calls. */
import { directionOf, LANGUAGES, type Language } from '@pool/shared/i18n/languages';
import {
  earlyRequests,
  ID_START,
  ID_VIEW,
  pageReport,
  pageReports,
  readScript,
  type PageStart,
  type SentView,
} from '@pool/shared/page-start';
import { prefetchUrls } from '@pool/shared/prefetch-calls';

/** Message for a script that does not load, and its button's text, by language. Inserted by the build. */
declare const TEXTS: Record<Language, [string, string]>;

const root = document.documentElement;
const stored = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};
let settings: Record<string, unknown> = {};
try {
  settings = (JSON.parse(stored('settings') ?? '') as typeof settings | null) ?? settings;
} catch {
  // Defaults.
}
const { mode, direction } = settings;
const dark =
  mode === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : mode !== 'light' && mode !== 'semi-dark';
root.dataset.mode = dark ? 'dark' : 'light';
if (mode === 'semi-dark') root.dataset.nav = 'dark';
root.dataset.collapsed = String(settings.navCollapsed === true);
root.dataset.content = settings.contentWidth === 'full' ? 'full' : 'boxed';
const wanted = (stored('i18nextLng') ?? navigator.language).split('-')[0]!.toLowerCase();
const language = LANGUAGES.find((each) => each === wanted) ?? 'en';
root.lang = language;
root.dir = direction === 'ltr' || direction === 'rtl' ? direction : directionOf(language);

const page = readScript<PageStart>(ID_START) ?? {};
root.dataset.shape = page.shape ?? 'charts';
// The view in the page is shown if it was rendered for a browser like this one (first-view/facts.ts).
const view = (globalThis.sentView = readScript<SentView>(ID_VIEW));
const facts = view?.facts;
if (facts?.width === innerWidth) {
  root.dataset.plot = String(facts.plot);
  if (
    facts.language === language &&
    facts.direction === root.dir &&
    facts.mode === root.dataset.mode &&
    'shadowRootMode' in HTMLTemplateElement.prototype
  )
    root.dataset.view = 'on';
}

// If one of the page's own scripts does not load, no other code can report it.
addEventListener(
  'error',
  ({ target }) => {
    const place = document.querySelector('.sk');
    if (!place || !(target instanceof HTMLScriptElement)) return;
    const [message, button] = TEXTS[language];
    place.className = 'sk-failed';
    place.removeAttribute('aria-hidden');
    place.setAttribute('role', 'alert');
    place.textContent = `${message} `;
    const link = place.appendChild(document.createElement('a'));
    link.href = location.href;
    link.textContent = button;
  },
  true,
);

/** Visitors' pages never send them. */
const MAX_REPORTS = 50;
const keep = (event: ErrorEvent | PromiseRejectionEvent): void => {
  if (pageReports().length < MAX_REPORTS) pageReport(event);
};
addEventListener('error', keep);
addEventListener('unhandledrejection', keep);

/** A language's first number and date load its data, on a phone for 0.1 s: a worker does it meanwhile. */
const warmUp = (lng: string): void => {
  new Intl.NumberFormat(lng).format(0);
  const format = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' } as const;
  new Intl.DateTimeFormat(lng, format).format(0);
  close();
};
new Worker(URL.createObjectURL(new Blob([`(${String(warmUp)})("${language}")`])));

const early = earlyRequests();
const sent = new Set(view?.queries.map(({ url }) => url));
function ask(url: string, headers: Record<string, string> = {}): void {
  if (early[url] || sent.has(url)) return;
  early[url] = fetch(url, { headers });
  // Asked again later (earlyFetch).
  early[url].catch(() => undefined);
}

function askForData(token: string): void {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  ask('/api/getUserInfo/', headers);
  ask('/api/subAccounts/', headers);
  const { calls, defaults } = page.prefetch ?? { calls: [], defaults: {} };
  for (const url of prefetchUrls(calls, location.search, defaults)) ask(url, headers);
}

function start(): void {
  // Cookies of the identity library: the user is signed in, and the session's token (auth/early-session.ts).
  const signedIn = /(^|; )__client_uat(_[^=]*)?=[1-9]/.test(document.cookie);
  const [, token] = /(?:^|; )__session=([^;]+)/.exec(document.cookie) ?? [];
  const isLanding = location.pathname === '/';
  // The landing page makes other calls; a saved page has no home in its head.
  if (page.home && signedIn) return location.replace(page.home);
  const texts = `/locales/${isLanding ? 'landing.' : ''}`;
  ask(`${texts + language}.json`);
  if (language !== 'en') ask(`${texts}en.json`);
  if (!signedIn) return;
  // Until the palette's code is there (commands/idle-features.tsx), which opens it then.
  addEventListener('keydown', (event) => {
    if (root.dataset.palette === 'ready' || !(event.ctrlKey || event.metaKey)) return;
    // The key's place is for layouts of other scripts.
    if (event.key !== 'k' && event.code !== 'KeyK') return;
    event.preventDefault();
    root.dataset.palette = 'wanted';
  });
  // An admin who looks at a user's pages asks for the user's data, not for the own; a saved page has what was kept
  // (service-worker/saved-page.ts).
  if (!token || page.isSaved || location.pathname.startsWith('/view-as/')) return;
  askForData(token);
}
start();
