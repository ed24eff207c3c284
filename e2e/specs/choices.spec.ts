import { expect, signIn, test } from '../fixtures/test';

test('account and algorithm are in the URL, and survive a reload and a change of page', async ({ page }) => {
  await signIn(page, 'demo');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await page.getByRole('radiogroup', { name: 'Algorithm' }).getByText('SCRYPT').click();
  await expect(page).toHaveURL(/algorithm=SCRYPT/);
  await page.getByRole('navigation').getByRole('link', { name: 'Workers' }).click();
  await expect(page).toHaveURL(/\/workers\/.*algorithm=SCRYPT/);
  await page.reload();
  await expect(page.getByRole('radio', { name: 'SCRYPT' })).toBeChecked();
});

test('language and theme change at once and stay', async ({ page }) => {
  await signIn(page, 'demo');
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitem', { name: 'العربية' }).click();
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.getByRole('heading', { level: 1, name: 'لوحة التحكم' })).toBeVisible();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.getByRole('heading', { level: 1, name: 'لوحة التحكم' })).toBeVisible();
});

test('a timeframe is in the URL and Back restores it', async ({ page }) => {
  await signIn(page, 'demo');
  await page.getByRole('radiogroup', { name: 'Timeframe' }).getByText('7d').click();
  await expect(page).toHaveURL(/timeframe=d7/);
  await page.reload();
  await expect(page.getByRole('radiogroup', { name: 'Timeframe' }).getByRole('radio', { name: '7d' })).toBeChecked();
});

test('a worker is found, opened by its link, and the list is exported', async ({ page }) => {
  await signIn(page, 'demo');
  await page.getByRole('navigation').getByRole('link', { name: 'Workers' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Workers' })).toBeVisible();
  const first = page
    .getByRole('link', { name: /^Open / })
    .or(page.getByRole('row').nth(1).getByRole('link'))
    .first();
  await first.click();
  await expect(page).toHaveURL(/\/workers\/\d+/);
  await page.reload();
  await expect(page.getByText('Share quality, 24 h')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/workers\/(\?|$)/);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export the list as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
});

test('what the dashboard shows first is asked for once, by the page itself and for the algorithm of its URL', async ({
  page,
  watch,
}) => {
  await signIn(page, 'demo');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  watch.requests.length = 0;
  await page.goto('/dashboard/?algorithm=SCRYPT');
  await expect(page.locator('[data-ready~=figures]')).toBeVisible();
  await expect(page.locator('[data-ready~=chart]')).toBeVisible();
  const paths = watch.requests
    .map((url) => new URL(url))
    .filter(({ pathname }) => pathname.startsWith('/api/'))
    .map(({ pathname, search }) => pathname + search);
  const first = JSON.parse((await page.locator('meta[name=pool-first]').getAttribute('content')) ?? '[]') as string[];
  expect(first.length).toBeGreaterThan(3);
  for (const url of first) {
    const asked = url.replace('{account}', 'demo').replace('{algorithm}', 'SCRYPT').replace('{timeframe=d1}', 'd1');
    expect(
      paths.filter((path) => path.split('?')[0] === asked.split('?')[0]),
      url,
    ).toEqual([asked]);
  }
});
