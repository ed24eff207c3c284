import type { Locator, Page } from '@playwright/test';
import { asUser, expect, test } from '../fixtures/test';

/** Whether the focused element is visibly marked: a ring of at least 2 px. */
const ringed = (target: Locator) =>
  target.evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
  });
const focused = (page: Page) => page.locator(':focus');

test('links of the navigation, the skip link and the states show a ring when the keyboard reaches them', async ({
  page,
}) => {
  await asUser(page, 'demo');
  await expect(page.locator('[data-ready~=figures]')).toBeVisible();
  await page.reload();
  await expect(page.locator('[data-ready~=figures]')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(focused(page)).toHaveText('Skip to content');
  expect(await ringed(focused(page))).toBe(true);
  const seen: string[] = [];
  for (let tabs = 0; tabs < 40 && !seen.includes('Inactive'); tabs += 1) {
    await page.keyboard.press('Tab');
    const name = (await focused(page).textContent()) ?? '';
    if (!/^(Payments|Workers|Inactive)/.test(name)) continue;
    expect(await ringed(focused(page)), name).toBe(true);
    seen.push(name.replace(/\d+$/, ''));
  }
  expect(seen).toEqual(expect.arrayContaining(['Payments', 'Inactive']));
});

test('the arrow keys move through a menu opened with Enter', async ({ page }) => {
  await asUser(page, 'demo');
  await expect(page.locator('[data-ready~=figures]')).toBeVisible();
  const picker = page.getByRole('button', { name: /^Account:/ });
  await picker.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  const active = page.getByRole('menu').locator('[role=menuitem][class*=-active]');
  const first = (await active.textContent()) ?? '';
  await page.keyboard.press('ArrowDown');
  await expect(active).not.toHaveText(first);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/account=/);
  // The menu is gone, and the focus is back where it came from.
  await expect(page.getByRole('menu')).toBeHidden();
  await expect(picker).toBeFocused();
});

test('the notifications open with Enter and take the focus; Escape gives it back', async ({ page }) => {
  await asUser(page, 'demo');
  const bell = page.getByRole('button', { name: /^Notifications/ });
  await bell.focus();
  await page.keyboard.press('Enter');
  const inbox = page.getByRole('dialog', { name: 'Notifications' });
  await expect(inbox.getByRole('heading', { name: 'Notifications' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(inbox).toBeHidden();
  await expect(bell).toBeFocused();
});
