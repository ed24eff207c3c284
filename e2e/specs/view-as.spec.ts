import { asUser, expect, test } from '../fixtures/test';

test('an admin looks at a user’s pages and comes back: all is marked, recorded, and left behind', async ({ page }) => {
  await asUser(page, 'admin', '/admin/users?q=demo');
  await page.getByRole('link', { name: 'View as: demo' }).click();
  const asked: { path: string; as: string | undefined }[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    // Reports are the browser's own, whoever's pages are shown.
    if (pathname.startsWith('/api/') && pathname !== '/api/client-errors')
      asked.push({ path: pathname, as: request.headers()['x-view-as'] });
  });
  await expect(page).toHaveURL(/\/view-as\/demo\/dashboard\//);
  const banner = page.getByRole('complementary', { name: 'Viewing another user’s pages' });
  await expect(banner).toContainText('Viewing as demo');
  const navigation = page.getByRole('navigation', { name: 'Main navigation' });
  for (const name of ['Workers', 'Payments', 'Referral Program', 'Account']) {
    await navigation.getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(banner).toBeInViewport();
  }
  await expect(page.getByText('demo@pool.localhost')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Users' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /password/i })).toHaveCount(0);
  expect(asked.length).toBeGreaterThan(8);
  expect(asked.filter(({ as }) => as !== 'demo')).toEqual([]);

  asked.length = 0;
  await banner.getByRole('link', { name: 'Back to admin' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/users\?q=demo/);
  await navigation.getByRole('link', { name: 'Account', exact: true }).click();
  await expect(page.getByText('admin@pool.localhost')).toBeVisible();
  await expect(page.getByText('demo@pool.localhost')).toHaveCount(0);
  expect(asked.filter(({ as }) => as !== undefined)).toEqual([]);

  await page.goto('/admin/audit?action=view_as');
  // Reads that follow each other are one row; fields and values are in words.
  const row = page.getByRole('row').filter({ hasText: 'Viewed the user’s pages' }).first();
  await expect(row).toContainText(/\d+ reads/);
  await expect(row).toContainText('Call: /');
});
