import { readdirSync } from 'node:fs';
import path from 'node:path';
import { asUser, expect, test } from '../fixtures/test';

const REMOTE = path.join(process.env.REMOTES_DIR ?? '', 'admin');

/** Every file of the admin remote, as a path on the server. */
const adminFiles = () =>
  readdirSync(REMOTE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => `/remotes/admin/${path.relative(REMOTE, path.join(entry.parentPath, entry.name))}`);

test('a miner’s browser requests no file of the admin remote; it and a visitor are refused', async ({
  page,
  request,
  watch,
}) => {
  // The page that does not exist has this status, and the browser logs it in its console.
  watch.expectErrors(/status of 404 .*\/admin\/users/);
  await asUser(page, 'demo');
  for (const name of ['Payments', 'Workers', 'Referral Program', 'Dashboard']) {
    await page.getByRole('navigation').getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  }
  await expect(page.getByRole('link', { name: 'Users' })).toHaveCount(0);
  // Files prefetched when the page is idle count too.
  await page.waitForLoadState('load');
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5000 })));
  await page.goto('/admin/users');
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  expect(watch.requests.filter((url) => /admin/.test(new URL(url).pathname.replace('/admin/users', '')))).toEqual([]);

  const files = adminFiles();
  expect(files.length).toBeGreaterThan(3);
  for (const file of files)
    for (const who of [page.request, request]) expect((await who.get(file)).status(), file).toBe(404);
  expect((await page.request.get('/api/users/')).status()).toBe(403);
  const listed = (await (await page.request.get('/api/remotes')).json()) as { name: string }[];
  expect(listed.map(({ name }) => name)).not.toContain('admin');
});
