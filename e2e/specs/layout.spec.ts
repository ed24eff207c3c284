import type { Locator } from '@playwright/test';
import { asUser, expect, test } from '../fixtures/test';

test('a dark page is printed light, with every worker; on screen the navigation stays, and Back leads to where it was', async ({
  page,
}) => {
  await asUser(page, 'demo', '/workers/');
  const table = page.getByRole('table', { name: 'Workers' });
  await expect(table).toBeVisible();
  const rows = Number(await table.getAttribute('aria-rowcount')) - 1;
  expect(rows).toBeGreaterThan(40);
  await page.emulateMedia({ media: 'print' });
  await expect(table.locator('tr[data-index]')).toHaveCount(rows);
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'light');
  // Nothing on paper can be pressed.
  await expect(page.getByRole('searchbox', { name: 'Search workers' })).toBeHidden();
  await expect(page.getByRole('radiogroup', { name: 'Show' })).toBeHidden();
  await expect(page.getByRole('link', { name: 'Groups' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Export the list as CSV' })).toBeHidden();
  const luminance = (colour: string) =>
    (colour.match(/\d+(\.\d+)?/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 765;
  const [ink = '', ground = ''] = await table
    .locator('td')
    .first()
    .evaluate((cell) => {
      let at: Element | null = cell;
      while (at && /rgba\(0, 0, 0, 0\)|transparent/.test(getComputedStyle(at).backgroundColor)) at = at.parentElement;
      return [getComputedStyle(cell).color, at ? getComputedStyle(at).backgroundColor : 'rgb(255, 255, 255)'];
    });
  expect(luminance(ink)).toBeLessThan(0.4);
  expect(luminance(ground)).toBeGreaterThan(0.9);
  await page.emulateMedia({ media: null });
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark');

  // On a wide screen the app bar begins and ends where the content does.
  await page.setViewportSize({ width: 1920, height: 900 });
  const start = async (of: Locator) => Math.round((await of.boundingBox())?.x ?? NaN);
  await expect
    .poll(async () => Math.abs((await start(page.getByRole('button', { name: /^Account:/ }))) - (await start(table))))
    .toBeLessThanOrEqual(1);

  await page.setViewportSize({ width: 1440, height: 900 });
  const nav = page.getByRole('navigation', { name: 'Main navigation' });
  const atEnd = () => expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(900);
  const toTop = page.getByRole('button', { name: 'Back to top' });
  for (const y of [400, 401, 399]) {
    await page.evaluate((place) => scrollTo(0, place), y);
    await expect(toTop).toBeVisible({ visible: y > 400 });
  }
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await atEnd();
  const box = await nav.boundingBox();
  expect([box?.y, box?.width, box?.height]).toEqual([0, 260, 900]);
  await page.getByRole('link', { name: 'Payments' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect(table).toBeVisible();
  await atEnd();

  const beside = async () => [(await nav.boundingBox())?.width, (await page.getByRole('main').boundingBox())?.x];
  await page.getByRole('button', { name: 'Collapse navigation' }).click();
  await table.hover();
  await expect.poll(beside).toEqual([68, 68]);
  await nav.getByRole('link', { name: 'Payments' }).hover();
  await expect.poll(beside).toEqual([260, 68]);
  await page.keyboard.press('Escape');
  await expect.poll(beside).toEqual([68, 68]);
});
