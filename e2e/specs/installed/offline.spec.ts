import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { test } from '../../fixtures/own-pool';
import { expect, fillSignIn, signIn } from '../../fixtures/test';

test.use({ serviceWorkers: 'allow', settings: { DEMO: '1' } });

const control = (page: Page) => page.getByRole('button', { name: /^Updates:/ });
const figures = (page: Page) => page.locator('main [data-ready~=figures]');

/** What the browser keeps of users: cache by cache, its addresses, or words of its queries' keys, with their texts. */
const kept = (page: Page): Promise<{ name: string; entries: [string, string][] }[]> =>
  page.evaluate(async () => {
    const nameOf = (path: string): string => {
      const [, key] = /^\/saved-queries\/(.*)/.exec(decodeURIComponent(path)) ?? [];
      if (key === undefined) return path;
      return `query ${(JSON.parse(key) as unknown[]).filter((part) => typeof part === 'string').join(' ')}`;
    };
    const names = (await caches.keys()).filter((name) => name.startsWith('saved '));
    return Promise.all(
      names.map(async (name) => {
        const cache = await caches.open(name);
        const entries = (await cache.keys()).map(async ({ url }): Promise<[string, string]> => [
          nameOf(new URL(url).pathname),
          await (await cache.match(url))!.text(),
        ]);
        return { name, entries: await Promise.all(entries) };
      }),
    );
  });
const keptPaths = async (page: Page) => (await kept(page)).flatMap(({ entries }) => entries.map(([url]) => url));

/** The page of a worker that has taken over. */
const controlled = (page: Page) =>
  expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);

/** Deploys a copy of the current version of a remote under another name; returns both. */
async function deployCopy(remotes: string, name: string): Promise<{ before: string; after: string }> {
  const pointer = path.join(remotes, name, 'current.json');
  const { version: before } = JSON.parse(await readFile(pointer, 'utf8')) as { version: string };
  const after = `${before}x`;
  await cp(path.join(remotes, name, before), path.join(remotes, name, after), { recursive: true });
  const manifest = path.join(remotes, name, after, 'manifest.json');
  await writeFile(manifest, (await readFile(manifest, 'utf8')).replaceAll(before, after));
  await writeFile(pointer, JSON.stringify({ version: after }));
  return { before, after };
}

test('an installed pool: readable offline from its first sign-in, new when deployed, and nobody else sees what is kept', async ({
  page,
  context,
  product,
  server,
  pool,
  watch,
}) => {
  // The session's token may run out while there is no server to renew it; parts loaded later may not be kept.
  watch.expectErrors(/net::ERR_|Failed to fetch|ChunkLoadError|status of (503|401 .*\/api\/)/);
  const asked = async (visit: () => Promise<unknown>) => {
    const fromWorker: string[] = [];
    const fromNetwork: string[] = [];
    const note = (response: { url(): string; fromServiceWorker(): boolean }) =>
      (response.fromServiceWorker() ? fromWorker : fromNetwork).push(new URL(response.url()).pathname);
    page.on('response', note);
    await visit();
    await expect(figures(page)).toBeVisible();
    page.off('response', note);
    return { fromWorker, fromNetwork };
  };

  await page.goto(`${product.url}/sign-in`);
  await fillSignIn(page, 'demo');
  await expect(figures(page)).toBeVisible();
  await controlled(page);

  const cdp = await context.newCDPSession(page);
  const manifest = await cdp.send('Page.getAppManifest');
  expect(manifest.errors).toEqual([]);
  expect(JSON.parse(manifest.data ?? '')).toMatchObject({ name: 'Mining Pool', display: 'standalone', start_url: '/' });
  const { installabilityErrors } = await cdp.send('Page.getInstallabilityErrors');
  // Journeys run in private windows, which install nothing.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);

  // The worker has the page from the moment it runs, and the figures that are on it.
  await expect
    .poll(() => keptPaths(page))
    .toEqual(
      expect.arrayContaining([
        '/saved-page',
        '/locales/en.json',
        expect.stringMatching(/^query userInfo /),
        'query payments balance',
      ]),
    );
  await expect(page.locator('main [data-ready~=chart]')).toBeVisible();

  // The first reload after the sign-in, without a pool: the same figures, marked with their age.
  server.pause();
  await page.reload();
  await expect(figures(page)).toBeVisible();
  await expect(page.locator('main [data-ready~=chart]')).toBeVisible();
  await expect(control(page)).toHaveAccessibleName(/^Updates: Data is .* old$/);
  await expect(page.getByText('These are the last figures')).toBeVisible();
  server.resume();
  await expect(control(page)).toHaveAccessibleName('Updates: Live');
  await expect(page.getByText('These are the last figures')).toHaveCount(0);

  // A remote is deployed while the page is open: one line, and the new version when the user wants it.
  const { before, after } = await deployCopy(pool.remotes, 'dashboard');
  const line = page.getByRole('status').filter({ hasText: 'A new version is ready.' });
  await expect(async () => {
    // A tab that gets the focus after its list is older than ten minutes.
    await page.evaluate(() => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + 11 * 60_000;
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    });
    await expect(line).toBeVisible({ timeout: 3000 });
  }).toPass();
  const renewed = await asked(() => line.getByRole('button', { name: 'Reload' }).click());
  const versions = ({ fromWorker, fromNetwork }: typeof renewed) => [
    ...new Set([...fromWorker, ...fromNetwork].map((url) => /^\/remotes\/dashboard\/([^/]+)/.exec(url)?.[1] ?? '')),
  ];
  await expect.poll(() => versions(renewed)).toContain(after);
  // Only the page passes through the worker.
  expect(renewed.fromWorker).toEqual(['/dashboard/']);
  expect(versions(renewed)).not.toContain(before);
  // Taken back: the next visit is the old one.
  await writeFile(path.join(pool.remotes, 'dashboard/current.json'), JSON.stringify({ version: before }));
  await expect
    .poll(async () => versions(await asked(() => page.reload())))
    .toEqual(expect.not.arrayContaining([after]));

  const [demo] = await kept(page);
  // Signed out: nothing is kept.
  await page
    .getByRole('button', { name: /^Menu of|demo/ })
    .last()
    .click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.waitForURL(`${product.url}/`);
  await expect.poll(() => kept(page)).toEqual([]);
  await context.setOffline(true);
  await expect(page.goto(`${product.url}/dashboard/`)).rejects.toThrow();
  await context.setOffline(false);

  // Another user, who is an admin: only their own answers, and none of the admin's pages.
  await signIn(page, 'admin');
  await page.goto(`${product.url}/admin/users`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // The dashboard of an admin without machines is the overview.
  await page.goto(`${product.url}/workers/`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect
    .poll(() => keptPaths(page))
    .toEqual(expect.arrayContaining(['/saved-page', expect.stringMatching(/^query subAccounts /)]));
  const own = await kept(page);
  expect(own.map(({ name }) => name)).not.toContain(demo?.name);
  expect(own).toHaveLength(1);
  const texts = own.flatMap(({ entries }) => entries);
  expect(texts.filter(([url]) => /admin|users|audit|api\/events|watch/i.test(url))).toEqual([]);
  expect(texts.filter(([url, text]) => url.startsWith('query ') && text.includes('"demo"'))).toEqual([]);
  await server.kill();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // The banner; a figure that nothing was kept of says so too.
  await expect(page.getByRole('status').filter({ hasText: 'The pool does not answer.' })).toBeVisible();

  // Turned off by the operator: browsers remove it, with all that it was still keeping, with one of their next pages.
  await server.start({ SERVICE_WORKER: '0' });
  await expect(async () => {
    await page.goto(`${product.url}/dashboard/`);
    const left = () =>
      page.evaluate(
        async () => [...(await navigator.serviceWorker.getRegistrations()), ...(await caches.keys())].length,
      );
    await expect.poll(left).toBe(0);
  }).toPass();
});
