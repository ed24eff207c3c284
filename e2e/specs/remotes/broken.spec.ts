/** Versions of a remote that are broken: the server learns of each, with its version, or it is listed as not detectable. */
import type { Browser, Page } from '@playwright/test';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { RemoteManifest } from '../../../shared/src/contract';
import { breakRemote, type BrokenRemote } from '../../fixtures/broken-remote';
import { test } from '../../fixtures/own-pool';
import { expect, newUser, signUp, type Watch } from '../../fixtures/test';

/** Faults that only publishing sees. */
const UNSEEN = 'hidden shell, bar, prototype, leak, left behind, styles, stored';
const TRIED =
  /^(?![^]*Symbol\()[^]*the navigation is hidden\nit lies over what the pool has there: .+[^]*its styles change \d+ elements of the shell beside it: [^]*it stores user\.recent[^]*it changes window\.leak[^]*it changes Array\.prototype\.atRandom[^]*it leaves 1 more intervals behind each time\nit leaves 1 more listeners behind each time/;

/** What keeps a core busy until publishing refuses it: with HEAVY=1. */
const SLOWLY_REFUSED: [string, RegExp][] = [
  ['endless loop', /its page hangs: a loop without an end/],
  ['keeps memory', /it keeps 0\.\d MB of memory each time/],
];

type Change = (folder: string) => Promise<void>;
const edit =
  (name: string, change: (text: string) => string): Change =>
  async (folder) => {
    const file = path.join(folder, name);
    await writeFile(file, change(await readFile(file, 'utf8')));
  };
const editEntry =
  (change: (text: string) => string): Change =>
  async (folder) => {
    const { entry } = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')) as RemoteManifest;
    await edit(path.basename(entry), change)(folder);
  };

/** Faults, the kind of error they are reported as, and what breaks the version's files; null: only publishing sees them. */
type Fault = [string, string | null, Change?];
const FAULTS: Fault[] = [
  ['throw on mount', 'crash'],
  // The last: Playwright drives no page again whose process has ended.
  ['endless loop', 'unfinished'],
];
/** Others, with HEAVY=1: units of the reporter and of the outlet hold them. */
const MORE_FAULTS: Fault[] = [
  ['rejections', 'rejection'],
  ['missing texts', 'text', edit('locales/en.json', (text) => text.replace('"referral.nav"', '"referral.other"'))],
  ['timers throw', 'error'],
  ['error before the mount', 'error'],
  ['mount without end', null],
  ['flipped byte', 'load', editEntry((text) => `${text} `)],
  ['slow mount', 'slow'],
  [UNSEEN, null],
  ['late throw', 'crash'],
  ['wrong contract', 'load', edit('manifest.json', (text) => text.replace('"contract":1', '"contract":2'))],
  ['HTML for the entry', 'load', editEntry(() => '<!doctype html><title>Sign in</title>')],
  ['slow files', 'load'],
  ['broken texts', 'text', edit('locales/en.json', (text) => text.slice(1))],
];

/** A page that only loads slowly answers within this time, on a busy machine too. */
const HANGS_MS = 5_000;

/** Waits until the tab hangs and ends its process, as a browser does when its user wants it. */
async function killHanging(page: Page, browser: Browser): Promise<void> {
  const answers = () =>
    Promise.race([page.evaluate(() => 'answers'), new Promise((resolve) => setTimeout(resolve, HANGS_MS, 'hangs'))]);
  await expect.poll(answers).toBe('hangs');
  const cdp = await browser.newBrowserCDPSession();
  const used = async () => {
    const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
    return new Map(processInfo.filter(({ type }) => type === 'renderer').map(({ id, cpuTime }) => [id, cpuTime]));
  };
  const before = await used();
  await new Promise((resolve) => setTimeout(resolve, HANGS_MS));
  const growth = [...(await used())].map(([id, time]): [number, number] => [id, time - (before.get(id) ?? 0)]);
  const [busiest] = growth.sort(([, a], [, b]) => b - a);
  process.kill(busiest![0], 'SIGKILL');
  await page.waitForEvent('crash');
}

/** `npm run remote -- …`. */
const remote = (remotes: string, words: string[], env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/remote.ts', ...words], {
    env: { ...process.env, REMOTES_DIR: remotes, ...env },
  });

/**
 * An urgent rollback replaces the page in an open tab; a page whose version is gone opens in the one that is served.
 * `page`: the page of a user who is signed in at `pool`.
 */
async function rollBack(page: Page, watch: Watch, broken: BrokenRemote, remotes: string, pool: string) {
  const rollback = () => remote(remotes, ['rollback', 'referral', '--urgent', '--replace']);
  const link = page
    .getByRole('navigation', { name: 'Main navigation' })
    .getByRole('link', { name: 'Referral Program' });
  const title = page.getByRole('heading', { level: 1, name: 'Referral Program' });
  const expectAsked = (version: string) =>
    expect
      .poll(() => watch.requests.some((url) => url.includes(`/remotes/referral/${version}/remoteEntry`)))
      .toBe(true);
  const expectServed = (version: string) =>
    expect.poll(async () => (await page.request.get(`${pool}/api/remotes`)).text()).toContain(version);

  const good = await broken.serve('none');
  const bad = await broken.serve('none');
  await expectServed(bad);
  await page.goto(`${pool}/account/`);
  await link.click();
  await expect(title).toBeVisible();
  await expectAsked(bad);
  await page.evaluate(() => Object.assign(window, { stillHere: true }));
  const code = page.getByRole('textbox', { name: 'Referral code' });
  await code.fill('HALF');
  watch.requests.length = 0;
  const start = performance.now();
  await rollback();
  const notice = page.getByText('The pool has withdrawn this version');
  await expect(notice).toBeVisible();
  await expectAsked(good);
  await expect(notice).toBeHidden();
  await expect(title).toBeVisible();
  console.log(`rollback to the open tab: ${Math.round(performance.now() - start)} ms`);
  expect(await page.evaluate(() => 'stillHere' in window), 'no reload').toBe(true);
  await expect(code, 'what was typed').toHaveValue('HALF');

  // Without events the tab does not learn of the next rollback.
  const gone = await broken.serve('none');
  await page.route('**/api/events**', (route) => route.abort());
  await page.route(`**/remotes/referral/${gone}/**`, (route) => route.fulfill({ status: 404, body: '' }));
  await expectServed(gone);
  await page.goto(`${pool}/account/`);
  await rollback();
  await expectServed(good);
  watch.requests.length = 0;
  await link.click();
  await expect(title).toBeVisible();
  await expectAsked(good);
  await page.unrouteAll();
  const expected = /404|Remote referral|ChunkLoadError|Failed to (load|fetch)/;
  expect(watch.errors.filter((text) => !expected.test(text))).toEqual([]);
}

test('broken versions of a remote, and urgent rollbacks', async ({ page, browser, context, product, pool, watch }) => {
  watch.expectErrors(/./);
  const broken = await breakRemote(pool.remotes);
  const user = newUser('broken');
  await signUp(page, user, '/ready');

  await test.step('urgent rollbacks', () => rollBack(page, watch, broken, pool.remotes, product.url));

  await test.step('publishing says why it refuses a version', async () => {
    const own = { POOL_URL: product.url, POOL_USER: user.userName, POOL_PASSWORD: user.password };
    const refused: [string, RegExp][] = [[UNSEEN, TRIED], ...(process.env.HEAVY ? SLOWLY_REFUSED : [])];
    const tries: (() => Promise<void>)[] = [];
    for (const [fault, why] of refused) {
      const words = ['try', 'referral', '--to', await broken.serve(fault)];
      const error = { stderr: expect.stringMatching(why) as unknown };
      tries.push(() => expect(remote(pool.remotes, words, own), fault).rejects.toMatchObject(error));
    }
    await Promise.all(tries.map((each) => each()));
  });

  const metrics = async () =>
    (await (await page.request.get(`${product.url}/metrics`)).text())
      .match(/^remote_(errors|mounts)_total\{.*$/gm)
      ?.join('\n');
  const listed = async () =>
    (JSON.parse(await (await page.request.get(`${product.url}/api/remotes`)).text()) as RemoteManifest[]).map(
      ({ version }) => version,
    );
  for (const [fault, kind, change] of process.env.HEAVY ? [...MORE_FAULTS, ...FAULTS] : FAULTS)
    await test.step(fault, async () => {
      const version = await broken.serve(fault, change);
      await expect.poll(listed).toContain(version);
      const files = `**/remotes/referral/${version}/*.js`;
      if (fault === 'slow files') await page.route(files, () => undefined);
      if (fault === 'endless loop') {
        const cdp = await context.newCDPSession(page);
        await page.goto(`${product.url}/referral/`, { waitUntil: 'commit' });
        await killHanging(page, browser);
        await cdp.send('Page.reload');
        // Files that never come hold back the page's load event.
      } else await page.goto(`${product.url}/referral/`, { waitUntil: fault === 'slow files' ? 'commit' : 'load' });
      const about = `remote="referral",version="${version}"`;
      const counted = (name: string, labels: string) => new RegExp(`^${name}\\{${labels}\\} [1-9]`, 'm');
      const expected = kind
        ? counted('remote_errors_total', `${about},kind="${kind}"`)
        : counted('remote_mounts_total', about);
      if (fault === 'mount without end') {
        await page.locator('[data-remote=referral][data-phase=mounted]').waitFor({ state: 'attached' });
        await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Account' }).click();
      }
      await expect.poll(metrics).toMatch(expected);
      if (kind === null) {
        expect(await metrics()).not.toMatch(counted('remote_errors_total', `${about},kind="\\w+"`));
      }
      await page.unrouteAll();
    });
});
