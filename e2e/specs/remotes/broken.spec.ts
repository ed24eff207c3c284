/** Versions of a remote that are broken: the server learns of each, with its version, or it is listed as not detectable. */
import type { Browser, Page } from '@playwright/test';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ClientReport } from '../../../api/src/remotes/figures';
import { movePointer } from '../../../api/src/remotes/pointers';
import type { RemoteManifest } from '../../../shared/src/contract';
import { breakRemote, type BrokenRemote } from '../../fixtures/broken-remote';
import { test } from '../../fixtures/own-pool';
import { expect, newUser, signUp, type Watch } from '../../fixtures/test';

const REPORTED_MS = 30_000;

/** Faults that only publishing sees. */
const UNSEEN = 'hidden shell, bar, prototype, leak, left behind';
const TRIED =
  /the navigation is hidden\nit lies over what the pool has there: .+[^]*it changes window\.leak[^]*it changes Array\.prototype\.atRandom[^]*it leaves 1 more intervals behind each time\nit leaves 1 more listeners behind each time/;

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
  ['timers throw', 'error'],
  ['rejections', 'rejection'],
  ['error before the mount', 'error'],
  ['mount without end', null],
  ['flipped byte', 'load', editEntry((text) => `${text} `)],
  ['slow mount', 'slow'],
  ['missing texts', 'text', edit('locales/en.json', (text) => text.replace('"referral.title"', '"referral.other"'))],
  [UNSEEN, null],
  // The last: Playwright drives no page again whose process has ended.
  ['endless loop', 'unfinished'],
];
/** Others of the same kinds, with HEAVY=1. */
const MORE_FAULTS: Fault[] = [
  ['late throw', 'crash'],
  ['wrong contract', 'load', edit('manifest.json', (text) => text.replace('"contract":1', '"contract":2'))],
  ['HTML for the entry', 'load', editEntry(() => '<!doctype html><title>Sign in</title>')],
  ['slow files', 'load'],
  ['broken texts', 'text', edit('locales/en.json', (text) => text.slice(1))],
];

/** Waits until the tab hangs and ends its process, as a browser does when its user wants it. */
async function killHanging(page: Page, browser: Browser): Promise<void> {
  const answers = () =>
    Promise.race([page.evaluate(() => 'answers'), new Promise((resolve) => setTimeout(resolve, 1_000, 'hangs'))]);
  await expect.poll(answers).toBe('hangs');
  const cdp = await browser.newBrowserCDPSession();
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
  const [busiest] = processInfo.filter(({ type }) => type === 'renderer').sort((a, b) => b.cpuTime - a.cpuTime);
  process.kill(busiest!.id, 'SIGKILL');
  await page.waitForEvent('crash');
}

/** `npm run remote -- …`. */
const remote = (remotes: string, words: string[], env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/remote.ts', ...words], {
    env: { ...process.env, REMOTES_DIR: remotes, ...env },
  });

/**
 * Urgent rollbacks replace the page in an open tab, each by the version before, the last by one that the pool took back
 * by itself; a page whose version is gone opens in the one that is served. `page`: the page of a user who is signed in at
 * `pool`.
 */
async function rollBack(page: Page, watch: Watch, broken: BrokenRemote, remotes: string, pool: string) {
  const rollback = (...words: string[]) => remote(remotes, ['rollback', 'referral', '--urgent', ...words]);
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

  const first = await broken.serve('none');
  const next = await broken.serve('none');
  const bad = await broken.serve('none');
  await expectServed(bad);
  await page.goto(`${pool}/account/`);
  await link.click();
  await expect(title).toBeVisible();
  await expectAsked(bad);
  await page.evaluate(() => Object.assign(window, { stillHere: true }));
  const code = page.getByRole('textbox', { name: 'Referral code' });
  await code.fill('HALF');
  const takenBack = { version: broken.whole, withdrawn: [bad] };
  const rollbacks: [string, () => Promise<unknown>][] = [
    [next, rollback],
    [first, rollback],
    [broken.whole, rollback],
    [
      bad,
      async () => {
        await movePointer(path.join(remotes, 'referral'), {
          at: new Date(),
          who: 'pool',
          what: 'rollback',
          to: takenBack,
        });
        await rollback('--to', bad);
      },
    ],
  ];
  for (const [back, move] of rollbacks) {
    watch.requests.length = 0;
    const start = performance.now();
    await move();
    await expect(page.getByText('The pool has withdrawn this version')).toBeVisible();
    await expectAsked(back);
    await expect(page.getByText('The pool has withdrawn this version')).toBeHidden();
    await expect(title).toBeVisible();
    console.log(`rollback to the open tab: ${Math.round(performance.now() - start)} ms`);
    expect(await page.evaluate(() => 'stillHere' in window), 'no reload').toBe(true);
    await expect(code, 'what was typed').toHaveValue('HALF');
  }

  // Without events the tab does not learn of the next rollback.
  const gone = await broken.serve('none');
  await page.route('**/api/events**', (route) => route.abort());
  await page.route(`**/remotes/referral/${gone}/**`, (route) => route.fulfill({ status: 404, body: '' }));
  await expectServed(gone);
  await page.goto(`${pool}/account/`);
  await rollback();
  await expectServed(bad);
  watch.requests.length = 0;
  await link.click();
  await expect(title).toBeVisible();
  await expectAsked(bad);
  await page.unrouteAll();
  const expected = /404|Remote referral|ChunkLoadError|Failed to (load|fetch)/;
  expect(watch.errors.filter((text) => !expected.test(text))).toEqual([]);
}

/**
 * Errors long after a mount are told of it, and what follows at once, of the next mount; a user who reloads without end
 * has one bad mount each time. `at`: address of the page.
 */
async function tellsOfTimers(page: Page, at: string): Promise<void> {
  await page.goto('about:blank');
  const reports: ClientReport[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/client-errors')) reports.push(request.postDataJSON() as ClientReport);
  });
  const told = () => {
    const errors = reports.flatMap((report) => report.errors);
    const sum = (of: 'count' | 'faultyMounts'): number => errors.reduce((all, error) => all + error[of], 0);
    return {
      mounts: reports.flatMap(({ mounts }) => mounts).length,
      errors: sum('count'),
      faulty: sum('faultyMounts'),
    };
  };
  await page.goto(at);
  await expect.poll(told).toEqual({ mounts: 1, errors: 4, faulty: 1 });
  const navigation = page.getByRole('navigation', { name: 'Main navigation' });
  for (const link of ['Account', 'Referral Program']) await navigation.getByRole('link', { name: link }).click();
  await expect.poll(told).toEqual({ mounts: 2, errors: 8, faulty: 2 });
  for (const mounts of [3, 4, 5]) {
    await page.reload();
    await expect.poll(told).toMatchObject({ mounts, faulty: mounts });
  }
  // Mounted again while errors of the mount before are still to come.
  for (const link of ['Account', 'Referral Program']) await navigation.getByRole('link', { name: link }).click();
  await expect.poll(told).toMatchObject({ mounts: 6, faulty: 6 });
}

test('broken versions of a remote, and urgent rollbacks', async ({ page, browser, context, product, pool, watch }) => {
  watch.expectErrors(/./);
  test.setTimeout(6 * 60_000);
  const broken = await breakRemote(pool.remotes);
  const user = newUser('broken');
  await signUp(page, user, '/ready');

  await test.step('urgent rollbacks', () => rollBack(page, watch, broken, pool.remotes, product.url));

  await test.step('publishing says why it refuses a version', async () => {
    const own = { POOL_URL: product.url, POOL_USER: user.userName, POOL_PASSWORD: user.password };
    const refused: [string, RegExp, object?][] = [
      [UNSEEN, TRIED],
      ['keeps memory', /it keeps 0\.\d MB of memory each time/],
      ['endless loop', /its page hangs: a loop without an end/],
      ['none', /POOL_USER 'broken.*' cannot sign in: \S+/, { POOL_PASSWORD: 'not the password' }],
    ];
    const tries: (() => Promise<void>)[] = [];
    for (const [fault, why, more] of refused) {
      const words = ['try', 'referral', '--to', await broken.serve(fault)];
      const error = { stderr: expect.stringMatching(why) as unknown };
      tries.push(() => expect(remote(pool.remotes, words, { ...own, ...more }), fault).rejects.toMatchObject(error));
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
      await expect.poll(metrics, { timeout: REPORTED_MS }).toMatch(expected);
      if (kind === null) {
        expect(await metrics()).not.toMatch(counted('remote_errors_total', `${about},kind="\\w+"`));
      }
      if (fault === 'timers throw') await tellsOfTimers(page, `${product.url}/referral/`);
      await page.unrouteAll();
    });
});
