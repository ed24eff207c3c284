/** Shell and remotes are deployed separately: today's run with those of the last releases in a browser. */
import type { Page } from '@playwright/test';
import { satisfies } from 'semver';
import { keptReleases } from '../../scripts/build/release';
import { version as today } from '../../shared/package.json';
import { test } from '../fixtures/deployed';
import { expect, signIn } from '../fixtures/test';

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' });

/** What each page of a miner shows when its remote runs and the server answered it. */
const PAGES: Record<string, (page: Page) => ReturnType<Page['locator']>> = {
  Dashboard: (page) => page.locator('main [data-ready~=figures]'),
  Payments: (page) => page.getByRole('row').nth(1),
  Workers: (page) => page.getByRole('row').nth(1),
  'Referral Program': (page) => page.getByRole('heading', { level: 2 }).first(),
};

async function expectToRun(page: Page) {
  for (const [name, content] of Object.entries(PAGES)) {
    await navigation(page).getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(content(page)).toBeVisible();
  }
  await expect(navigation(page).getByRole('link', { name: /\d workers? offline/ })).toBeVisible();
  // Only an admin sees the admin remote. An open page would go on sending its reports, without a session.
  await page.goto('about:blank');
  await page.context().clearCookies();
  await signIn(page, 'admin');
  await page.goto('/admin/users');
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
}

/** No remote is loaded, and the panel in its place says which side has to be deployed. */
async function expectToBeRefused(page: Page, reason: 'shellBehind' | 'remoteBehind', facts: string) {
  for (const name of Object.keys(PAGES)) {
    await navigation(page).getByRole('link', { name }).click();
    await expect(page).toHaveTitle(new RegExp(name));
    await expect(page.locator('[data-failure]')).toHaveAttribute('data-failure', reason);
    await expect(page.locator('[data-failure]')).toContainText(facts);
  }
  await expect(page.locator('script[src*="/remotes/"]')).toHaveCount(0);
}

// The list is empty until `npm run keep:release` has frozen the first release.
for (const version of keptReleases())
  for (const part of ['remotes', 'shell'] as const)
    test(`${part} of ${version} beside what is of today: they run, or say what has to be deployed`, async ({
      page,
      watch,
      deployRelease,
    }) => {
      // A release is kept without its fonts.
      watch.expectErrors(/404.*\.woff2/);
      await signIn(page, 'demo');
      await deployRelease(version, part);
      await page.goto('/dashboard/');
      const [has, needs] = part === 'remotes' ? [today, version] : [version, today];
      if (satisfies(has, `^${needs}`)) return expectToRun(page);
      const reason = part === 'remotes' ? 'remoteBehind' : 'shellBehind';
      watch.expectErrors(new RegExp(`Remote \\w+: ${reason}`));
      return expectToBeRefused(page, reason, `shared ^${needs}`);
    });
