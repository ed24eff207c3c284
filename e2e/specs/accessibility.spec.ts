import type { Page } from '@playwright/test';
import { asUser, expect, seriousFindings, test } from '../fixtures/test';

const pages = [
  { path: '/', as: null },
  { path: '/sign-in', as: null },
  { path: '/sign-up', as: null },
  { path: '/dashboard/', as: 'demo' },
  { path: '/workers/', as: 'demo' },
  { path: '/workers/groups', as: 'demo' },
  { path: '/workers/pools', as: 'demo' },
  { path: '/workers/connection', as: 'demo' },
  { path: '/payments/', as: 'demo' },
  { path: '/referral/', as: 'demo' },
  { path: '/account/', as: 'demo' },
  { path: '/account/sub-accounts', as: 'demo' },
  { path: '/account/wallets', as: 'demo' },
  { path: '/account/api-keys', as: 'demo' },
  { path: '/account/log', as: 'demo' },
  { path: '/pages/account-settings/account', as: 'demo' },
  { path: '/admin/users', as: 'admin' },
  { path: '/nowhere', as: 'demo' },
] as const;

const dress = (page: Page, mode: string, language: string) =>
  page.addInitScript(
    ([m, l]) => {
      localStorage.setItem('settings', JSON.stringify({ mode: m, direction: l === 'ar' ? 'rtl' : 'ltr' }));
      localStorage.setItem('i18nextLng', l!);
    },
    [mode, language],
  );

/** Waits until the page is complete: the heading, nothing loading, and figures where there are some. */
async function settled(page: Page) {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.locator('.sk, [data-skeleton], [aria-busy=true], [data-progress]')).toHaveCount(0);
}

for (const user of [null, 'demo', 'admin'] as const) {
  // Each mode and each direction once: contrast does not depend on the direction.
  for (const [mode, language] of [
    ['dark', 'en'],
    ['light', 'ar'],
  ] as const) {
    test(`no serious accessibility finding: ${user ?? 'visitor'}, ${mode}, ${language}`, async ({ page, watch }) => {
      test.setTimeout(300_000);
      watch.expectErrors(/status of 404 .*\/nowhere/);
      await dress(page, mode, language);
      for (const { path } of pages.filter(({ as }) => as === user)) {
        await (user ? asUser(page, user, path) : page.goto(path));
        await settled(page);
        await expect(page.locator('html')).toHaveAttribute('lang', language);
        await expect(page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr');
        expect(await seriousFindings(page), path).toEqual([]);
      }
    });
  }
}

const WIDTHS = [320, 360, 390, 480, 640, 768, 1024, 1440, 1920];

for (const language of ['en', 'ru', 'fr', 'ar']) {
  test(`every page fits every width in ${language}: nothing scrolls sideways or leaves its card`, async ({ page }) => {
    test.setTimeout(300_000);
    await dress(page, 'dark', language);
    for (const path of [
      '/dashboard/',
      '/workers/',
      '/workers/groups',
      '/workers/pools',
      '/workers/connection',
      '/payments/',
      '/payments/?tab=payouts',
      '/referral/',
      '/account/sub-accounts',
      '/account/api-keys',
      '/pages/account-settings/account',
    ]) {
      await asUser(page, 'demo', path);
      await settled(page);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 844 });
        const overflow = () =>
          page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        await expect.poll(overflow, { message: `${path} at ${width} px`, timeout: 5_000 }).toBeLessThanOrEqual(0);
        const tooTall = () =>
          page.evaluate(
            () =>
              [...document.querySelectorAll('main li')].filter((card) => card.scrollHeight > card.clientHeight).length,
          );
        await expect.poll(tooTall, { message: `cards of ${path} at ${width} px`, timeout: 5_000 }).toBe(0);
      }
    }
  });
}

test('the navigation drawer of a phone opens, and closes after a link', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await asUser(page, 'demo');
  await page.getByRole('button', { name: 'Open navigation' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('link', { name: 'Payments' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible();
  await expect(drawer).toBeHidden();
});

test('the keyboard reaches the content past the navigation; a route change focuses the heading', async ({ page }) => {
  await asUser(page, 'demo');
  await settled(page);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.getByRole('navigation').getByRole('link', { name: 'Payments' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeFocused();
  await expect(page).toHaveTitle(/Payments/);
});
