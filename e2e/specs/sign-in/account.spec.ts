import type { Page } from '@playwright/test';
import { sharedProduct } from '../../fixtures/shared-product';
import { expect, fillSignIn, follow, newUser, signUp, test } from '../../fixtures/test';

test('an account in two tabs and on two devices: what one tab makes the other shows; others are signed out; it is deleted', async ({
  page,
  context,
  browser,
  watch,
}) => {
  // The server looks every five seconds whether a session still is one.
  // Pages of an ended session ask until they know.
  watch.expectErrors(/status of 401/);
  const user = newUser('owner');
  await signUp(page, user, '/account/sub-accounts');
  // The tab beside the first one never gets the focus.
  const tab = await context.newPage();
  await tab.goto('/account/sub-accounts');
  const device = await (await browser.newContext()).newPage();
  await device.goto('/account/sub-accounts');
  await device.waitForURL('**/sign-in**');
  await fillSignIn(device, user.email, { password: user.password, next: '**/account/**' });
  await expect(tab.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible();
  await page.bringToFront();

  const name = `${user.userName.slice(0, 24)}-barn`;
  await page.getByRole('button', { name: 'New sub-account' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create sub-account' }).click();
  await expect(page.getByText(`Sub-account ${name} created`)).toBeVisible();
  await expect(tab.getByText(name).first()).toBeVisible();

  await follow(page, '/account/security');
  await page.getByRole('button', { name: 'Sign out all others' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out all others' }).click();
  await expect(page.getByText('1 session ended')).toBeVisible();
  await device.waitForURL(/\/sign-in\?redirect_url=%2Faccount%2Fsub-accounts/);

  // One session by itself.
  await fillSignIn(device, user.email, { password: user.password, next: '**/account/**' });
  await page.reload();
  await page.getByRole('button', { name: /^Sign out: / }).click();
  await device.waitForURL(/\/sign-in\?redirect_url=%2Faccount%2Fsub-accounts/);
  await device.context().close();

  await linkTelegram(page);

  await follow(page, '/account/');
  await changePicture(page);
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(`Type ${user.userName} to confirm`).fill(user.userName);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Point your hashrate.');
  await tab.waitForURL(/\/sign-in\?redirect_url=%2Faccount%2Fsub-accounts/);
});

/** A picture is made of a file, is beside the name on every page, and is removed. */
async function changePicture(page: Page) {
  const choose = async (file: Parameters<Awaited<ReturnType<typeof chooser>>['setFiles']>[0], button: string) => {
    const opened = chooser();
    await page.getByRole('button', { name: button }).click();
    await (await opened).setFiles(file);
  };
  const chooser = () => page.waitForEvent('filechooser');
  const shown = page.getByRole('button', { name: /User menu/ }).locator('img');
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  await choose({ name: 'me.svg', mimeType: 'image/svg+xml', buffer: svg }, 'Add a picture');
  await expect(page.getByText('This file cannot be used.')).toBeVisible();
  // Its name is the only thing that is an image.
  await choose({ name: 'me.png', mimeType: 'image/png', buffer: svg }, 'Add a picture');
  await expect(page.getByText('This file cannot be used.')).toBeVisible();
  await expect(shown).toHaveCount(0);
  await choose('docs/dashboard.png', 'Add a picture');
  await expect(page.getByText('Picture saved')).toBeVisible();
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(256);
  await page.goto('/pages/account-settings/account');
  await expect(shown).toBeVisible();
  await follow(page, '/account/');
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Picture removed')).toBeVisible();
  await expect(shown).toHaveCount(0);
}

/** Links a chat, chooses what it hears of, gets a message there, and unlinks it. */
async function linkTelegram(page: Page) {
  const { telegram } = sharedProduct();
  const chat = { id: Date.now(), username: 'anna_tg' };
  const sent = async () => {
    const { result } = (await (await fetch(`${telegram}/sent`)).json()) as {
      result: { chatId: number; text: string }[];
    };
    return result.filter(({ chatId }) => chatId === chat.id).map(({ text }) => text);
  };
  await follow(page, '/account/telegram');
  await page.getByRole('button', { name: 'Connect Telegram' }).click();
  const open = page.getByRole('link', { name: 'Open Telegram' });
  const [, token = ''] = /[?]start=([\w-]{1,64})$/.exec((await open.getAttribute('href')) ?? '') ?? [];
  await fetch(`${telegram}/write`, { method: 'POST', body: JSON.stringify({ from: chat, text: `/start ${token}` }) });
  await page.getByText(/@anna_tg.? has opened the link. Is it you?/).waitFor();
  await page.getByRole('button', { name: 'Yes, connect it' }).click();
  await expect(page.getByRole('heading', { name: /@anna_tg/ })).toBeVisible();
  const digest = page.getByRole('checkbox', { name: 'Daily digest' });
  const chosen = !(await digest.isChecked());
  await digest.click();
  await expect(digest).toBeChecked({ checked: chosen });
  await page.getByRole('button', { name: 'Send a test message' }).click();
  await expect(page.getByText('Test message sent')).toBeVisible();
  await expect.poll(async () => (await sent()).join(' ')).toContain('Test message:');
  await page.reload();
  await expect(digest).toBeChecked({ checked: chosen });
  await page.getByRole('button', { name: 'Unlink' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
  await expect(page.getByRole('heading', { name: /@anna_tg/ })).toBeHidden();
}
