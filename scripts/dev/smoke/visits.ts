/** Visits to the pages and parts of a remote, as a person makes them, and what is wrong with them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { JSHandle, Page } from '@playwright/test';
import type { SlotPlace } from '../../../shared/src/contract';
import { ACCOUNT_PATH, partPath } from '../../../shared/src/routes/shell-pages';
import type { Version } from '../../remotes/pack';
import { changedSince, coveredBy, restyledBy, type Seen } from './traces';

export const WAIT_MS = 30_000;
/** So long a mounted page is watched: faults of timers come late. */
const WATCH_MS = 1_500;
/** Interval of asking whether the page answers. */
const LOOK_MS = 1_000;
/** A tab that does not answer for so long is hung. */
const ANSWER_MS = 10_000;
/** Visits after which code is compiled and caches are full. */
const WARM_VISITS = 10;
/** Visits that the page's memory is compared over, and what each may keep: the pool's own remotes keep 10 KB. */
const MEMORY_VISITS = 20;
export const MEMORY_BYTES = 100_000;
/** A page of the shell itself, before and after the remote's. */
export const ELSEWHERE = `${ACCOUNT_PATH}/`;
/** Pages whose slots are there at once; a worker's details are opened by hand. */
const slotPages = (name: string): Partial<Record<SlotPlace, string>> => ({
  dashboard: '/dashboard/',
  payments: '/payments/',
  account: partPath(name),
  admin: '/admin/',
});
/** A page that has settled shows its navigation and slots within this time. */
const SETTLED_MS = 5_000;

/** Rejects when the tab no longer answers: its page loops. */
export async function hangs(page: Page): Promise<never> {
  while (!page.isClosed()) {
    // A page on its way to another document cannot be asked, which is no loop.
    const answers = page.evaluate(() => true).catch(() => true);
    if (!(await Promise.race([answers, sleep(ANSWER_MS, false, { ref: false })])))
      throw new Error('its page hangs: a loop without an end');
    await sleep(LOOK_MS, null, { ref: false });
  }
  throw new Error('its page is closed');
}

/** Opens a page without loading the document anew. */
const open = (page: Page, at: string): Promise<void> =>
  page.evaluate((path) => {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, at);

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
  await open(page, path);
  if (!(await comes(page.locator(`[data-remote="${name}"] h1`).or(failure).first().waitFor())))
    throw new Error(`no <h1> of it is there after ${WAIT_MS / 1000} s`);
  return (await failure.isVisible()) ? `it is not mounted: ${await failure.locator('p').first().textContent()}` : null;
}

async function leave(page: Page, version: Version): Promise<void> {
  await open(page, ELSEWHERE);
  await page.locator(`[data-remote="${version.name}"]`).waitFor({ state: 'detached' });
}

export async function keptBy(page: Page, version: Version): Promise<number> {
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
export async function visit(page: Page, version: Version, before: JSHandle<Seen>): Promise<string[]> {
  const { name } = version;
  const failure = page.locator('[data-failure]');
  const missing = await enter(page, version);
  if (missing !== null) return [missing];
  await page.waitForTimeout(WATCH_MS);
  const link = page.locator('nav:not([data-remote] *) a').filter({ visible: true }).first();
  const faults = (await comes(link.click({ trial: true, timeout: SETTLED_MS }))) ? [] : ['the navigation is hidden'];
  const covered = await coveredBy(page, name);
  if (covered.length > 0) faults.push(`it lies over what the pool has there: ${covered.slice(0, 3).join(', ')}`);
  if (await failure.isVisible()) faults.push(`it fails: ${await failure.locator('p').first().textContent()}`);
  const addRestyled = async (where: string): Promise<void> => {
    const styled = await restyledBy(page, name);
    if (styled.length > 0)
      faults.push(`its styles change ${styled.length} elements of ${where}: ${styled.slice(0, 3).join(', ')}`);
  };
  await addRestyled('the shell beside it');
  await leave(page, version);
  const changed = await page.evaluate(changedSince, before);
  await addRestyled('other pages');
  const keys = (await page.evaluate(() => [...globalThis.poolKeys])).filter((key) => !key.startsWith(`${name}.`));
  if (keys.length > 0) faults.push(`it stores ${keys.join(', ')}: its keys begin with '${name}.'`);
  return [...faults, ...changed.map((what) => `it changes ${what}`)];
}

/** Shows the remote's parts in pages of the pool. Returns what is wrong. */
export async function visitSlots(page: Page, version: Version): Promise<string[]> {
  const { name, manifest } = version;
  const faults: string[] = [];
  for (const { place } of manifest.slots ?? []) {
    const part = page.locator(`[data-part="${name}"]`);
    const at = slotPages(name)[place];
    if (at) await open(page, at);
    const attached = { state: 'attached', timeout: SETTLED_MS } as const;
    const isThere = at !== undefined && (await comes(part.waitFor(attached)));
    if (!isThere) {
      console.log(`not tried: its part for '${place}', a place that POOL_USER does not see at once`);
      continue;
    }
    await part.evaluate((element) => element.scrollIntoView());
    const failure = part.getByRole('status');
    const mounted = part.locator('[data-phase=mounted] > *');
    await mounted.or(failure).first().waitFor({ state: 'attached' });
    if (await failure.isVisible()) faults.push(`its part for '${place}' is not mounted`);
  }
  if (manifest.slots) await leave(page, version);
  return faults;
}
