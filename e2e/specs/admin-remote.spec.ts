import { readdirSync } from 'node:fs';
import path from 'node:path';
import { asUser, expect, test } from '../fixtures/test';

const REMOTE = path.join(process.env.REMOTES_DIR ?? '', 'admin');

/** Every file of the admin remote, as a path on the server. */
const adminFiles = () =>
  readdirSync(REMOTE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => `/remotes/admin/${path.relative(REMOTE, path.join(entry.parentPath, entry.name))}`);

test('a miner’s browser requests no file of the admin remote, and is refused when it does', async ({ page, watch }) => {
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
  for (const file of files) expect((await page.request.get(file)).status(), file).toBe(404);
  const trick = ['/remotes/%61dmin/', '/remotes//admin/', '/remotes/ADMIN/', '/remotes/x/../admin/'].map((prefix) =>
    files[0]!.replace('/remotes/admin/', prefix),
  );
  for (const file of trick) expect((await page.request.get(file)).status(), file).toBe(404);
  expect((await page.request.get('/api/users/')).status()).toBe(403);
  const listed = (await (await page.request.get('/api/remotes')).json()) as { name: string }[];
  expect(listed.map(({ name }) => name)).not.toContain('admin');
});

test('a visitor gets no file of the admin remote', async ({ request }) => {
  for (const file of adminFiles()) expect((await request.get(file)).status(), file).toBe(404);
});

test('an admin finds a user, by the menu of a navigation on top, which takes its time', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await asUser(page, 'admin', '/pages/account-settings/account');
  await page.getByRole('radio', { name: /^On top/ }).check();
  const menu = page.getByRole('list', { name: 'Admin', includeHidden: true });
  const seconds = () => menu.evaluate((list) => parseFloat(getComputedStyle(list).transitionDuration));
  await expect(menu).toBeHidden();
  expect(await seconds()).toBe(0.3);
  await page.getByRole('button', { name: 'Admin', exact: true }).hover();
  await expect(menu).toBeVisible();
  expect(await seconds()).toBe(0.4);
  await menu.getByRole('link', { name: 'Users' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
  await page.getByPlaceholder('Name or e-mail').fill('legacy');
  await expect(page).toHaveURL(/q=legacy/);
  await expect(page.getByText('legacy', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('demo', { exact: true })).toHaveCount(0);

  // The palette, by keyboard alone: letters in the order of the group and of the page in it.
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command palette' }).fill('adm ter');
  await expect(page.getByRole('option').first()).toContainText('Admin › Terms');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Terms' })).toBeVisible();
});
