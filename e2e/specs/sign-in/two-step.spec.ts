import { Authenticator } from '../../../api/src/identity/testing/authenticator';
import { expect, newUser, seriousFindings, signUp, test } from '../../fixtures/test';

test('two-step sign-in: turned on, then a code or a backup code after the password, and for money', async ({
  page,
  browser,
  watch,
}) => {
  // 401: it signs out while the page still asks.
  watch.expectErrors(/status of 4(?:01|03|22)/);
  const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
  const user = newUser('twostep');
  await signUp(page, user);
  // A browser that signed in with the password alone, before.
  const other = await (await browser.newContext()).newPage();
  const enterPassword = async (on: typeof page) => {
    await on.goto('/sign-in');
    await on.locator('input[name=identifier]').fill(user.userName);
    await on.getByRole('button', { name: 'Continue', exact: true }).click();
    await on.locator('input[name=password]').fill(user.password);
    await on.getByRole('button', { name: 'Continue', exact: true }).click();
  };
  await enterPassword(other);
  await other.waitForURL('**/dashboard/**');

  await page.goto('/account/security');
  const panel = page.getByRole('region', { name: 'Two-step sign-in' });
  await panel.getByRole('button', { name: 'Add two-step verification' }).click();
  // The menu is inside the panel, not over the next one.
  const item = page.getByRole('menuitem', { name: 'Authenticator application' });
  const below = await page.getByText('Current password').boundingBox();
  const menu = await page.getByRole('menu').boundingBox();
  expect((menu?.y ?? Infinity) + (menu?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  await item.click();
  await panel.getByRole('button', { name: 'Can’t scan QR code?' }).click();
  const secret = panel.getByRole('textbox').first();
  await expect(secret).toHaveValue(/^[A-Z2-7]{32}$/);
  const app = new Authenticator(await secret.inputValue());
  await panel.getByRole('button', { name: 'Continue', exact: true }).click();
  await panel.getByRole('textbox', { name: 'Enter verification code' }).fill(await app.next());
  const code = panel.getByText(/^(?:\w{4}-){3}\w{4}$/);
  // The form has them once more, for its printer.
  await expect.poll(async () => new Set(await code.allTextContents()).size).toBe(10);
  const backupCode = (await code.first().textContent()) ?? '';
  expect(await seriousFindings(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Finish' }).click();
  await expect(panel.getByText('Backup codes', { exact: true })).toBeVisible();

  const signOut = async () => {
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Point your hashrate.');
  };
  await signOut();
  await enterPassword(page);
  await page.waitForURL('**/factor-two');
  await page.getByRole('textbox', { name: 'Enter verification code' }).fill('000000');
  await expect(page.getByText('Incorrect code').first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Enter verification code' }).fill(await app.next());
  await page.waitForURL('**/dashboard/**');

  await signOut();
  await enterPassword(page);
  await page.waitForURL('**/factor-two');
  await page.getByRole('link', { name: 'Use another method' }).click();
  await page.getByRole('button', { name: 'Use a backup code' }).click();
  await page.getByLabel('Backup code').fill(backupCode);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.waitForURL('**/dashboard/**');

  // Just signed in with a code: nothing more is asked for.
  const setAddress = async (on: typeof page) => {
    // A token from before the code was asked for counts for its minute: the page gets a new one when it has settled.
    const renewed = on.waitForResponse(/\/__clerk\/v1\/client(\?|$)/);
    await on.goto('/payments/?tab=settings');
    await renewed;
    await on.getByRole('button', { name: 'Set address' }).click();
    await on.getByLabel('Bitcoin address').fill(address);
    await on.getByRole('button', { name: 'Set address' }).click();
  };
  await setAddress(other);
  const dialog = other.getByRole('dialog', { name: 'Confirm it is you' });
  await dialog.getByLabel('Password').fill(user.password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByLabel('Code').fill(await app.next());
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(other.getByText('Address saved')).toBeVisible();
  await other.getByLabel('Payout threshold').fill('0.002');
  await other.getByRole('button', { name: 'Save threshold' }).click();
  await expect(other.getByText('Threshold saved')).toBeVisible();
  await other.getByRole('switch', { name: 'Pause payouts' }).click();
  await expect(other.getByText('Payouts paused', { exact: true })).toBeVisible();
  await page.goto('/account/wallets');
  await expect(page.getByText(address).first()).toBeVisible();
  await other.context().close();
});
