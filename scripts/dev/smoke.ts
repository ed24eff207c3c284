/** Tries a version in the pages of the pool at POOL_URL, through a proxy of this process: nobody else sees it. */
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, JSHandle, Page } from '@playwright/test';
import type { RemoteManifest, SlotPlace } from '../../shared/src/contract';
import { ACCOUNT_PATH, partPath } from '../../shared/src/routes/shell-pages';
import type { Version } from '../remotes/pack';
import { installedBrowser } from '../browser.cjs';
import { Front } from './front';
import { OwnRemote } from './own-remote';

const WAIT_MS = 30_000;
/** So long a mounted page is watched: faults of timers come late. */
const WATCH_MS = 1_500;
/** Interval of asking whether a page that is being mounted answers. */
const LOOK_MS = 1_000;
/** A tab that does not answer for so long is hung. */
const ANSWER_MS = 10_000;
/** Visits after which code is compiled and caches are full. */
const WARM_VISITS = 10;
/** Visits that the page's memory is compared over, and what each may keep: the pool's own remotes keep 10 KB. */
const MEMORY_VISITS = 20;
const MEMORY_BYTES = 100_000;
/** A page of the shell itself, before and after the remote's. */
const ELSEWHERE = `${ACCOUNT_PATH}/`;
/** Pages whose slots are there at once; a worker's details are opened by hand. */
const slotPages = (name: string): Partial<Record<SlotPlace, string>> => ({
  dashboard: '/dashboard/',
  payments: '/payments/',
  account: partPath(name),
  admin: '/admin/',
});
/** A page that has settled shows its slots within this time. */
const SLOT_MS = 5_000;

async function launch(): Promise<Browser> {
  try {
    const { chromium } = await import('@playwright/test');
    return await chromium.launch({ executablePath: installedBrowser(), args: ['--no-sandbox', '--disable-gpu'] });
  } catch (error) {
    const [why = ''] = String(error instanceof Error ? error.message : error).split('\n');
    throw new Error(`no browser to try it in (CHROME_PATH names one; --unseen publishes without): ${why}`);
  }
}

async function signIn(page: Page, url: string): Promise<void> {
  const { POOL_USER: user, POOL_PASSWORD: password } = process.env;
  if (!user || !password) throw new Error('POOL_USER and POOL_PASSWORD name the account that tries it');
  await page.goto(`${url}/sign-in`);
  for (const [field, text] of [
    ['identifier', user],
    ['password', password],
  ] as const) {
    await page.locator(`input[name=${field}]`).fill(text);
    await page.locator(`input[name=${field}]`).press('Enter');
  }
  // Codes by which the sign-in service's forms name what they refuse.
  const refused = page.locator('.cl-formFieldErrorText, .cl-alertText').first();
  const left = page.waitForURL((at) => !at.pathname.startsWith('/sign-in')).then(() => null);
  const said = await Promise.race([left, refused.waitFor().then(() => refused.textContent())]);
  if (said !== null) throw new Error(`POOL_USER '${user}' cannot sign in: ${said}`);
}

/** Throws where the tab does not answer: its page loops. */
async function assertAnswers(page: Page): Promise<void> {
  const isHung = new Promise<true>((resolve) => void setTimeout(resolve, ANSWER_MS, true));
  if (await Promise.race([page.evaluate(() => false), isHung]))
    throw new Error('its page hangs: a loop without an end');
}

type Seen = { name: string; owner: object; values: Map<PropertyKey, PropertyDescriptor | undefined> }[];

/** Runs in the page: globals, and what belongs to all code in it. */
function look(): Seen {
  const shared = [Object, Array, String, Number, Function, Promise, Map, Set, Date, RegExp, Node, Element, EventTarget];
  const owners: [string, object][] = [
    ['window', window],
    ...shared.map((of): [string, object] => [`${of.name}.prototype`, of.prototype as object]),
  ];
  return owners.map(([name, owner]) => ({
    name,
    owner,
    values: new Map(Reflect.ownKeys(owner).map((key) => [key, Object.getOwnPropertyDescriptor(owner, key)])),
  }));
}

/** Runs in the page: what was added or replaced since. */
function changedSince(before: Seen): string[] {
  return before.flatMap(({ name, owner, values }) =>
    Reflect.ownKeys(owner)
      .filter((key) => {
        const was = values.get(key);
        const is = Object.getOwnPropertyDescriptor(owner, key);
        // Names that builders and federation use, and symbols that all pages share, as React's and recharts' are.
        if (!was)
          return !(
            owner === window &&
            (/^(((web|rs)packChunk)?pool_|__mf_|__VUE_HMR_RUNTIME__$)/.test(String(key)) ||
              (typeof key === 'symbol' && Symbol.keyFor(key) !== undefined))
          );
        return owner === window ? typeof was.value === 'function' && was.value !== is?.value : was.value !== is?.value;
      })
      .map((key) => `${name}.${String(key)}`),
  );
}

/** What a page that is left may not leave behind, by kind. */
const leftIn = (page: Page): Promise<Record<string, number>> =>
  page.evaluate(() => ({ ...globalThis.poolCounts, 'elements of the body': document.body.childElementCount }));

/** Counts what lives longer than a page: intervals, and listeners of window and document. Before any other script. */
const COUNTING = `
globalThis.__name = (work) => work;
globalThis.poolCounts = { intervals: 0, listeners: 0 };
globalThis.poolKeys = new Set();
{
  const { setItem } = Storage.prototype;
  Storage.prototype.setItem = function (key, value) {
    // What the shell stores for a remote is the shell's.
    if (new Error().stack.split('\\n')[2]?.includes('/remotes/')) poolKeys.add(key);
    return setItem.call(this, key, value);
  };
  const counts = poolCounts;
  const ids = new Set();
  const { setInterval: set, clearInterval: clear } = globalThis;
  globalThis.setInterval = (...args) => {
    const id = set(...args);
    counts.intervals = ids.add(id).size;
    return id;
  };
  globalThis.clearInterval = (id) => {
    clear(id);
    ids.delete(id);
    counts.intervals = ids.size;
  };
  const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
  const known = new Map();
  const worksOf = (type, options) => {
    const key = type + Boolean(typeof options === 'object' ? options?.capture : options);
    return known.get(key) ?? known.set(key, new Set()).get(key);
  };
  const count = () => (counts.listeners = [...known.values()].reduce((sum, each) => sum + each.size, 0));
  const isPage = (target) => target === undefined || target === window || target === document;
  EventTarget.prototype.addEventListener = function (type, work, options) {
    if (isPage(this) && work && !options?.once) {
      const works = worksOf(type, options).add(work);
      count();
      options?.signal?.addEventListener('abort', () => count(works.delete(work)));
    }
    return add.call(this ?? window, type, work, options);
  };
  EventTarget.prototype.removeEventListener = function (type, work, options) {
    if (isPage(this)) count(worksOf(type, options).delete(work));
    return remove.call(this ?? window, type, work, options);
  };
}`;

/** Opens a page without loading the document anew. */
const open = (page: Page, at: string): Promise<void> =>
  page.evaluate((path) => {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, at);

/** Whether a link of the navigation is visible, and nothing lies over it. */
const hasNavigation = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [...document.querySelectorAll('nav a')].some((link) => {
      if (link.closest('[data-remote]')) return false;
      const { x, y, width, height } = link.getBoundingClientRect();
      return width > 0 && link.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    }),
  );

/** Runs in the page: what of the pool's own can be clicked, but lies below the remote. */
const coveredBy = (page: Page, name: string): Promise<string[]> =>
  page.evaluate((remote) => {
    const controls = [...document.querySelectorAll<HTMLElement>('a, button')].filter(
      (each) => !each.closest('[data-remote]'),
    );
    return controls.flatMap((each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      const top = width > 0 ? document.elementFromPoint(x + width / 2, y + height / 2) : null;
      return top?.closest(`[data-remote="${remote}"]`) ? [each.ariaLabel ?? each.innerText] : [];
    });
  }, name);

/** Runs in a page: elements of the shell that look otherwise because of the remote's styles, and in what. */
const restyledBy = (page: Page, name: string): Promise<string[]> =>
  page.evaluate((remote) => {
    const adopted = [...document.adoptedStyleSheets];
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important; }');
    document.adoptedStyleSheets.push(still);
    const isOwn = ({ href, ownerNode }: CSSStyleSheet): boolean =>
      href
        ? href.includes(`/remotes/${remote}/`)
        : ownerNode instanceof HTMLStyleElement && !globalThis.poolStyles.has(ownerNode) && !ownerNode.dataset.cssHash;
    // The shell adopts none.
    const own = [...[...document.styleSheets].filter(isOwn), ...adopted];
    const shell = [...document.querySelectorAll('body, #root *:not(script, style)')];
    const elements = shell.filter((each) => !each.closest('[data-remote]'));
    const names = ['color', 'background-color', 'font', 'letter-spacing', 'text-align', 'list-style', 'display'];
    const boxes = ['position', 'box-sizing', 'margin', 'padding', 'border', 'opacity', 'visibility', 'z-index'];
    const look = () =>
      elements.map((each) => {
        const style = getComputedStyle(each);
        return [...names, ...boxes].map((property) => style.getPropertyValue(property));
      });
    const styled = look();
    own.forEach((sheet) => (sheet.disabled = true));
    const plain = look();
    own.forEach((sheet) => (sheet.disabled = false));
    document.adoptedStyleSheets.pop();
    return elements.flatMap((each, at) => {
      const found = [...names, ...boxes].filter((_, index) => styled[at]?.[index] !== plain[at]?.[index]);
      return found.length > 0 ? [`${each.localName} (${found.join(', ')})`] : [];
    });
  }, name);

/** Whether what is waited for comes in time. */
const comes = (waiting: Promise<unknown>): Promise<boolean> =>
  waiting.then(
    () => true,
    () => false,
  );

/** Opens the remote's page. Returns why it is not mounted. */
async function enter(page: Page, { name, manifest }: Version): Promise<string | null> {
  const { basePath, nav } = manifest;
  const path = nav.map((entry) => entry.path).find((at) => at.startsWith(basePath)) ?? `${basePath}/`;
  const failure = page.locator('[data-failure]');
  await Promise.race([open(page, path), assertAnswers(page)]);
  const shown = comes(page.locator(`[data-remote="${name}"] h1`).or(failure).first().waitFor());
  // A page that loops is not waited for.
  for (let seen: boolean | null = null; !seen;) {
    seen = await Promise.race([shown, page.waitForTimeout(LOOK_MS).then(() => null)]);
    await assertAnswers(page);
    if (seen === false) throw new Error(`no <h1> of it is there after ${WAIT_MS / 1000} s`);
  }
  return (await failure.isVisible()) ? `it is not mounted: ${await failure.locator('p').first().textContent()}` : null;
}

async function leave(page: Page, version: Version): Promise<void> {
  await open(page, ELSEWHERE);
  await page.locator(`[data-remote="${version.name}"]`).waitFor({ state: 'detached' });
}

async function keptBy(page: Page, version: Version): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  const used = async (): Promise<number> => {
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize, backingStorageSize } = await devtools.send('Runtime.getHeapUsage');
    // Arrays of bytes are beside the heap.
    return usedSize + backingStorageSize;
  };
  let before = 0;
  for (let n = 0; n < WARM_VISITS + MEMORY_VISITS; n += 1) {
    if (n === WARM_VISITS) before = await used();
    await enter(page, version);
    await leave(page, version);
  }
  return ((await used()) - before) / MEMORY_VISITS;
}

/** The remote's page and back to another one. Returns what is wrong. */
async function visit(page: Page, version: Version, before: JSHandle<Seen>): Promise<string[]> {
  const { name } = version;
  const failure = page.locator('[data-failure]');
  const missing = await enter(page, version);
  if (missing !== null) return [missing];
  await page.waitForTimeout(WATCH_MS);
  await assertAnswers(page);
  const faults = (await hasNavigation(page)) ? [] : ['the navigation is hidden'];
  const covered = await coveredBy(page, name);
  if (covered.length > 0) faults.push(`it lies over what the pool has there: ${covered.slice(0, 3).join(', ')}`);
  if (await failure.isVisible()) faults.push(`it fails: ${await failure.locator('p').first().textContent()}`);
  const beside = await restyledBy(page, name);
  await leave(page, version);
  const changed = await page.evaluate(changedSince, before);
  const restyled = await restyledBy(page, name);
  for (const [styled, where] of [
    [beside, 'the shell beside it'],
    [restyled, 'other pages'],
  ] as const)
    if (styled.length > 0)
      faults.push(`its styles change ${styled.length} elements of ${where}: ${styled.slice(0, 3).join(', ')}`);
  const keys = (await page.evaluate(() => [...globalThis.poolKeys])).filter((key) => !key.startsWith(`${name}.`));
  if (keys.length > 0) faults.push(`it stores ${keys.join(', ')}: its keys begin with '${name}.'`);
  return [...faults, ...changed.map((what) => `it changes ${what}`)];
}

/** Shows the remote's parts in pages of the pool. Returns what is wrong. */
async function visitSlots(page: Page, version: Version): Promise<string[]> {
  const { name, manifest } = version;
  const faults: string[] = [];
  for (const { place } of manifest.slots ?? []) {
    const part = page.locator(`[data-part="${name}"]`);
    const at = slotPages(name)[place];
    if (at) await open(page, at);
    const attached = { state: 'attached', timeout: SLOT_MS } as const;
    const isThere = at !== undefined && (await comes(part.waitFor(attached)));
    if (!isThere) {
      console.log(`not tried: its part for '${place}', a place that POOL_USER does not see at once`);
      continue;
    }
    await part.evaluate((element) => element.scrollIntoView());
    const failure = part.getByRole('status');
    const mounted = part.locator('[data-phase=mounted] > *');
    await mounted.or(failure).first().waitFor({ state: 'attached' });
    await assertAnswers(page);
    if (await failure.isVisible()) faults.push(`its part for '${place}' is not mounted`);
  }
  if (manifest.slots) await leave(page, version);
  return faults;
}

async function faultsIn(page: Page, url: string, version: Version): Promise<string[]> {
  await page.addInitScript(COUNTING);
  await signIn(page, url);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // The operator allows an API of the team's once it is deployed, and that may be down without the pool's concern.
    const isOwnApi = ['/api/remotes/token', ...(version.manifest.connect ?? [])].some((part) =>
      message.location().url.includes(part),
    );
    if (message.type() === 'error' && !isOwnApi) faults.push(`console: ${message.text()}`);
  });
  await page.goto(url + ELSEWHERE);
  await page.locator('h1').first().waitFor();
  // The last that the shell itself loads, when the page is idle.
  await page.waitForFunction(() => (globalThis as { Clerk?: { loaded: boolean } }).Clerk?.loaded);
  await page.evaluate(() => void (globalThis.poolStyles = new Set(document.querySelectorAll('style'))));
  const before = await page.evaluateHandle(look);
  faults.push(...(await visitSlots(page, version)), ...(await visit(page, version, before)));
  const once = await leftIn(page);
  faults.push(...(await visit(page, version, before)));
  const twice = await leftIn(page);
  const more = Object.keys(once).filter((kind) => twice[kind]! > once[kind]!);
  const kept = faults.length > 0 ? 0 : await keptBy(page, version);
  if (kept > MEMORY_BYTES) faults.push(`it keeps ${(kept / 1e6).toFixed(1)} MB of memory each time`);
  return [...faults, ...more.map((kind) => `it leaves ${twice[kind]! - once[kind]!} more ${kind} behind each time`)];
}

export async function tryInBrowser(version: Version, pool: URL): Promise<void> {
  const { name, folder, manifest } = version;
  const own = new OwnRemote(name, pool);
  // Where its files will be elsewhere, they need not be there yet.
  own.manifest = JSON.parse(
    JSON.stringify(manifest).replace(/"https?:\/\/[^"/]+(?=\/remotes\/)/g, '"'),
  ) as RemoteManifest;
  const server = await new Front(pool, own, null).listen(0, '127.0.0.1');
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  try {
    const browser = await launch();
    try {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' });
      page.setDefaultTimeout(WAIT_MS);
      const files = `${url}/remotes/${name}/${version.version}/`;
      await page.route(`${files}**`, (route) =>
        route.fulfill({ path: path.join(folder, new URL(route.request().url()).pathname.slice(new URL(files).pathname.length)) }),
      );
      const faults = await faultsIn(page, url, version);
      if (faults.length > 0)
        throw new Error(`${name} ${version.version} does not run as it has to:\n${[...new Set(faults)].join('\n')}`);
    } finally {
      await browser.close();
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

declare global {
  var poolCounts: Record<string, number>;
  /** Keys that the remote's own code has stored. */
  var poolKeys: Set<string>;
  /** Styles in the page before the remote's were. */
  var poolStyles: Set<HTMLStyleElement>;
}
