import { DEMO_PASSWORD } from '../fixtures/shared-product';
import { expect, newUser, signIn, signUp, test } from '../fixtures/test';

test('a visitor signs up from the landing page, signs out, and signs in again', async ({ page }) => {
  const user = newUser('newcomer');
  await page.goto('/');
  await expect(page).toHaveTitle(/Mining Pool/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Point your hashrate.');
  await page.getByRole('link', { name: 'Create account' }).first().click();
  await page.waitForURL('**/sign-up**');
  await signUp(page, user);
  await expect(page.getByRole('heading', { level: 1, name: 'Connect your first worker' })).toBeVisible();
  await expect(page.getByText(`Listening for ${user.userName}`)).toBeVisible();

  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Point your hashrate.');

  await signIn(page, user.email, { password: user.password });
  await expect(page.getByRole('heading', { level: 1, name: 'Connect your first worker' })).toBeVisible();
});

test('a wrong password shows an error, and the right one still works', async ({ page, watch }) => {
  watch.expectErrors(/status of 4\d\d/);
  await page.goto('/sign-in');
  await page.locator('input[name=identifier]').fill('demo');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.locator('input[name=password]').fill('not-the-password-1');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByText(/password is incorrect/i).first()).toBeVisible();
  await page.locator('input[name=password]').fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.waitForURL('**/dashboard/**');
});

test('a deep link is kept through the sign-in, and a reload stays signed in', async ({ page }) => {
  await page.goto('/workers/?state=offline');
  await page.waitForURL('**/sign-in**');
  await signIn(page, 'demo', { next: '**/workers/**' });
  await expect(page).toHaveURL(/\/workers\/\?.*state=offline/);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Workers' })).toBeVisible();
});

for (const target of ['//evil.example/', 'https://evil.example/', 'javascript:alert(1)', '/\\evil.example']) {
  test(`a redirect to ${target} after sign-in goes to the dashboard instead`, async ({ page }) => {
    await page.goto(`/sign-in?redirect_url=${encodeURIComponent(target)}`);
    await signIn(page, 'demo');
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  });
}

test('the sign-in form speaks Russian in Russian, English otherwise', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('i18nextLng', 'ru'));
  await page.goto('/sign-in');
  await expect(page.getByRole('button', { name: 'Продолжить' })).toBeVisible();
  await page.addInitScript(() => localStorage.setItem('i18nextLng', 'fr'));
  await page.goto('/sign-in');
  await expect(page.getByRole('button', { name: 'Continue', exact: true })).toBeVisible();
});

test('a legacy user gets no account switcher and no algorithm list', async ({ page }) => {
  await signIn(page, 'legacy');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Account/ })).toHaveCount(0);
  await expect(page.getByRole('radiogroup', { name: 'Algorithm' })).toHaveCount(0);
});

test('an unknown URL shows a message and leads back', async ({ page, watch }) => {
  watch.expectErrors(/status of 404 .*\/nowhere/);
  await signIn(page, 'demo');
  await page.goto('/nowhere');
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to the start page' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test('poisoned settings fall back to the defaults', async ({ page }) => {
  await page.addInitScript(() =>
    localStorage.setItem(
      'settings',
      '{"mode":"javascript:alert(1)","direction":{"__proto__":{}},"navCollapsed":"<img>"}',
    ),
  );
  await signIn(page, 'demo');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('dir', 'ltr');
});
