import type { Locator, Page } from '@playwright/test';
import { asUser, expect, newUser, seriousFindings, signUp, test } from '../fixtures/test';

/** Whether the focused element is visibly marked: a ring of at least 2 px, which nothing around it cuts off. */
const ringed = (target: Locator) =>
  target.evaluate((element) => {
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element);
    const beyond = parseFloat(outlineWidth) + parseFloat(outlineOffset);
    const ring = element.getBoundingClientRect();
    const isCut = (around: Element | null): boolean => {
      if (!around || around === document.documentElement) return false;
      const { overflowX, overflowY } = getComputedStyle(around);
      const box = around.getBoundingClientRect();
      const [acrossCut, downCut] = [
        ring.left - beyond < box.left || ring.right + beyond > box.right,
        ring.top - beyond < box.top || ring.bottom + beyond > box.bottom,
      ];
      if ((overflowX !== 'visible' && acrossCut) || (overflowY !== 'visible' && downCut)) return true;
      return isCut(around.parentElement);
    };
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && !isCut(element.parentElement);
  });
const focused = (page: Page) => page.locator(':focus');

test('links, states, a menu and the notifications by keyboard alone: rings, and the focus where a person looks for it', async ({
  page,
}) => {
  await asUser(page, 'demo');
  await expect(page.locator('main [data-ready~=figures]')).toBeVisible();
  await page.reload();
  await expect(page.locator('main [data-ready~=figures]')).toBeVisible();
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

  const bell = page.getByRole('button', { name: /^Notifications/ });
  await bell.focus();
  await page.keyboard.press('Enter');
  const inbox = page.getByRole('dialog', { name: 'Notifications' });
  await expect(inbox.getByRole('heading', { name: 'Notifications' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(inbox).toBeHidden();
  await expect(bell).toBeFocused();

  const picker = page.getByRole('button', { name: /^Account:/ });
  await picker.focus();
  await page.keyboard.press('Enter');
  const active = page.getByRole('menu').locator(':focus');
  // All accounts together, the chosen one, another.
  for (let steps = 0; steps < 2; steps += 1) {
    const last = (await active.textContent()) ?? '';
    await page.keyboard.press('ArrowDown');
    await expect(active).not.toHaveText(last);
  }
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/account=/);
  await expect(page.getByRole('menu')).toBeHidden();
  await expect(picker).toBeFocused();

  // The longest menu scrolls in a low window.
  const height = 500;
  await page.setViewportSize({ width: 390, height });
  await page.getByRole('button', { name: 'User menu' }).click();
  const menu = page.getByRole('menu');
  const box = await menu.locator('..').boundingBox();
  expect(box && box.y + box.height).toBeLessThan(height);
  const last = page.getByRole('menuitem', { name: 'Logout' });
  await expect(last).not.toBeInViewport();
  await page.keyboard.press('End');
  await expect(last).toBeFocused();
  await expect(last).toBeInViewport();
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('navigation').getByRole('link', { name: 'Payments' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeFocused();
  await expect(page).toHaveTitle(/Payments/);
});

/** Presses Tab until `target` has the focus. */
async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeVisible();
  for (let tabs = 0; tabs < 120; tabs += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${String(target)}`);
}

test('account and settings at 320 px by keyboard alone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await signUp(page, newUser('keys'), '/account/');
  await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: 'Sub-accounts' }));
  expect(await ringed(focused(page))).toBe(true);
  await page.keyboard.press('Enter');
  const opener = page.getByRole('button', { name: 'New sub-account' });
  await tabTo(page, opener);
  await page.keyboard.press('Enter');
  // The dialog opens with the focus in its first field.
  const name = page.getByLabel('Name', { exact: true });
  await expect(name).toBeFocused();
  const barn = newUser('barn').userName;
  await page.keyboard.type(`${barn}!`);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(name).toBeFocused();
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await expect(opener).toBeFocused();
  const remove = page.getByRole('button', { name: new RegExp(`^Delete.*${barn}`) });
  await tabTo(page, remove);
  await page.keyboard.press('Enter');
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete' });
  await tabTo(page, confirm);
  await page.keyboard.press('Enter');
  await expect(remove).toBeHidden();

  await page.goto('/pages/account-settings/account');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  const themes = page.getByRole('radiogroup', { name: 'Theme', exact: true });
  await tabTo(page, themes.getByRole('radio', { name: 'Dark', exact: true }));
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'light');
  const orange = page.getByRole('button', { name: 'Orange' });
  await tabTo(page, orange);
  await page.keyboard.press('Enter');
  await expect(orange).toHaveAttribute('aria-pressed', 'true');
  await tabTo(page, page.getByRole('button', { name: /^Reset/ }));
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark');
});
