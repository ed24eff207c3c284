import type { Page } from '@playwright/test';
import { asUser, expect, seriousFindings, test } from '../fixtures/test';

const PAGES = {
  visitor: [
    '/',
    '/sign-in',
    '/sign-up',
    '/pages/calculator',
    '/pages/faq',
    '/pages/terms',
    '/pages/privacy',
    '/watch/wt_unknown/',
  ],
  demo: [
    '/dashboard/',
    '/workers/',
    '/workers/groups',
    '/workers/pools',
    '/workers/connection',
    '/payments/',
    '/payments/?tab=payouts',
    '/payments/statement',
    '/referral/',
    '/account/',
    '/account/sub-accounts',
    '/account/wallets',
    '/account/api-keys',
    '/account/watchers',
    '/account/log',
    '/pages/account-settings/account',
    '/nowhere',
  ],
  admin: [
    '/admin/overview',
    '/admin/users',
    '/admin/sub-accounts',
    '/admin/payments',
    '/admin/payments/referral',
    '/admin/payments/bonus',
    '/admin/payments/corrections',
    '/admin/terms',
    '/admin/audit',
    '/admin/system',
  ],
} as const;
const WIDTHS = [320, 360, 390, 480, 640, 768, 1024, 1440, 1920];
/** Each mode and each direction is looked at by axe once: contrast does not depend on the direction. */
const LOOKS = [
  { language: 'en', mode: 'dark', axe: true },
  { language: 'ar', mode: 'light', axe: true },
  { language: 'ru', mode: 'light', axe: false },
  { language: 'fr', mode: 'dark', axe: false },
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

/** Nothing scrolls sideways, and no card is too short for what it holds. */
async function fitsEveryWidth(page: Page, path: string) {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    const faults = () =>
      page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        const cards = [...document.querySelectorAll('main li')];
        return {
          overflow: Math.max(0, scrollWidth - clientWidth),
          tooShort: cards.filter((card) => card.scrollHeight > card.clientHeight).length,
        };
      });
    await expect
      .poll(faults, { message: `${path} at ${width} px`, timeout: 5_000 })
      .toEqual({ overflow: 0, tooShort: 0 });
  }
}

for (const { language, mode, axe } of LOOKS) {
  for (const user of ['visitor', 'demo', 'admin'] as const) {
    test(`pages of ${user} in ${language}, ${mode}: they fit every width${axe ? ', and axe finds nothing serious' : ''}`, async ({
      page,
      watch,
    }) => {
      test.setTimeout(300_000);
      watch.expectErrors(/status of 40[14] .*\/(nowhere|watch)/);
      await dress(page, mode, language);
      for (const path of PAGES[user]) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await (user === 'visitor' ? page.goto(path) : asUser(page, user, path));
        await settled(page);
        await expect(page.locator('html')).toHaveAttribute('lang', language);
        await expect(page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr');
        if (axe) expect(await seriousFindings(page), path).toEqual([]);
        await fitsEveryWidth(page, path);
      }
    });
  }
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
