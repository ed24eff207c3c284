import type { Page } from '@playwright/test';
import { asUser, expect, test } from '../fixtures/test';

const control = (page: Page) => page.getByRole('button', { name: /^Updates:/ });
const MINUTE = 60_000;

/** The dashboard with a clock that can be advanced. */
async function openDashboard(page: Page) {
  await page.clock.install();
  await asUser(page, 'demo');
  await expect(page.locator('main [data-ready~=figures]')).toBeVisible();
  await expect(page.locator('main [data-ready~=chart]')).toBeVisible();
  await expect(control(page)).toHaveAccessibleName('Updates: Live');
  // The sign-in library is fetched when the page has settled, within a limit of its own: before the clock jumps on.
  await page.clock.fastForward(7_000);
  const isThere = () => (globalThis as { Clerk?: { loaded: boolean } }).Clerk?.loaded;
  await expect.poll(() => page.evaluate(isThere)).toBe(true);
}
const top = async (page: Page) => (await page.locator('main [data-ready~=chart]').boundingBox())?.y;

test('failed refreshes are shown at once, in one place, and nothing moves', async ({ page, watch }) => {
  watch.expectErrors(/status of 503/);
  await openDashboard(page);
  const before = await top(page);
  await page.route('**/api/**', (route) =>
    route.request().url().includes('/api/events')
      ? route.fallback()
      : route.fulfill({ status: 503, json: { code: 'service_unavailable', title: 'busy', status: 503 } }),
  );
  await page.clock.fastForward(MINUTE + 1000);
  for (let tries = 0; tries < 3; tries += 1) await page.clock.runFor(5000);
  await expect(control(page)).toHaveAccessibleName(/^Updates: Data is \d+.min old$/);
  await expect(
    page.getByText('The pool does not answer. These are the last figures; they refresh when it answers again.'),
  ).toBeVisible();
  // Once, not in each widget.
  await expect(page.getByText(/^Data from /).first()).toBeHidden();
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(1);
  expect(await top(page), 'the chart stays where it is').toBe(before);

  await page.unroute('**/api/**');
  await page.route('**/api/proxyLiveHashchart/**', async (route) => {
    const answer = await route.fetch();
    const live = (await answer.json()) as { current: object };
    await route.fulfill({ json: { ...live, current: { ...live.current, measuring: 120 } } });
  });
  await page.clock.fastForward(MINUTE + 1000);
  await expect(control(page)).toHaveAccessibleName('Updates: Live');
  await expect(page.getByTestId('hashrate-5m')).toContainText('≈');
  await expect(page.getByText(/^Data from /)).toHaveCount(0);
  expect(await top(page)).toBe(before);
});
