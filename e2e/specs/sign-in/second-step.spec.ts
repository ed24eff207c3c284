/** Two-step sign-in and passkeys. Files run in the order of their names: the two long journeys here must not begin last. */
import type { CDPSession, Page } from '@playwright/test';
import { Authenticator } from '../../../api/src/identity/testing/authenticator';
import { turnOnSecondStep } from '../../fixtures/second-step';
import { expect, fillSignIn, newUser, seriousFindings, signIn, signOut, signUp, test } from '../../fixtures/test';

/** A payout address; a page that signed in lately saves it. */
const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
async function setAddress(on: Page) {
  // A token from before the code was asked for counts for its minute: the page gets a new one when it has settled.
  const renewed = on.waitForResponse(/\/__clerk\/v1\/client(\?|$)/);
  await on.goto('/payments/?tab=settings');
  await renewed;
  await on.getByLabel('Bitcoin address').fill(ADDRESS);
  await on.getByRole('button', { name: 'Set address' }).click();
}

test('two-step sign-in: turned on, then a code or a backup code after the password, and for money', async ({
  page,
  browser,
  baseURL,
  watch,
}) => {
  // 401: it signs out while the page still asks.
  watch.expectErrors(/status of 4(?:01|03|22)/);
  const user = newUser('twostep');
  await signUp(page, user, '/account/security');
  // A browser that signed in with the password alone, before.
  const other = await (await browser.newContext({ baseURL })).newPage();
  await signIn(other, user.userName, user.password);
  const enterPassword = () => fillSignIn(page, user.userName, { password: user.password, next: '**/factor-two' });

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

  await signOut(page);
  await enterPassword();
  await page.getByRole('textbox', { name: 'Enter verification code' }).fill('000000');
  await expect(page.getByText('Incorrect code').first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Enter verification code' }).fill(await app.next());
  await page.waitForURL('**/dashboard/**');

  await signOut(page);
  await enterPassword();
  await page.getByRole('link', { name: 'Use another method' }).click();
  await page.getByRole('button', { name: 'Use a backup code' }).click();
  await page.getByLabel('Backup code').fill(backupCode);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.waitForURL('**/dashboard/**');

  await setAddress(other);
  const dialog = other.getByRole('dialog', { name: 'Confirm it is you' });
  await dialog.getByLabel('Password').fill(user.password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  // The code is typed on an Arabic keyboard, in the two halves that the app shows.
  const digits = (await app.next()).replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)));
  await dialog.getByLabel('Code').fill(`${digits.slice(0, 3)} ${digits.slice(3)}`);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(other.getByText('Address saved')).toBeVisible();
  await other.getByLabel('Payout threshold').fill('0.002');
  await other.getByRole('button', { name: 'Save threshold' }).click();
  await expect(other.getByText('Threshold saved')).toBeVisible();
  await other.getByRole('switch', { name: 'Pause payouts' }).click();
  await expect(other.getByText('Payouts paused', { exact: true })).toBeVisible();
  await page.goto('/account/wallets');
  await expect(page.getByText(ADDRESS).first()).toBeVisible();
  await other.context().close();
});

/** A device that has passkeys and unlocks itself; with `synchronised`, the passkeys of another one. */
async function passkeyDevice(page: Page, synchronised?: { cdp: CDPSession; authenticatorId: string }) {
  // clerk-js offers no passkeys to a browser that says it is driven by a program.
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false }));
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  if (synchronised) {
    const { credentials } = await synchronised.cdp.send('WebAuthn.getCredentials', {
      authenticatorId: synchronised.authenticatorId,
    });
    for (const credential of credentials) await cdp.send('WebAuthn.addCredential', { authenticatorId, credential });
  }
  return { cdp, authenticatorId };
}

test.describe('a passkey', () => {
  // Passkeys are of a domain, not of an address.
  test.use({ baseURL: async ({ product }, use) => use(product.url.replace('127.0.0.1', 'localhost')) });

  test('is added in the account, signs in without password and code, confirms money, and is removed', async ({
    page,
    browser,
    baseURL,
    watch,
  }) => {
    // It signs out while the page still asks, and money waits for the passkey.
    watch.expectErrors(/status of 40[13]/);
    const user = newUser('passkey');
    const device = await passkeyDevice(page);
    await signUp(page, user, '/account/security');
    // A browser that signed in with the password alone, before.
    const other = await (await browser.newContext({ baseURL })).newPage();
    await signIn(other, user.userName, user.password);

    const panel = page.getByRole('region', { name: 'Two-step sign-in' });
    await panel.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(panel.getByText('Chrome, Linux')).toBeVisible();
    expect(await seriousFindings(page)).toEqual([]);
    await turnOnSecondStep(page);
    await signOut(page);
    await page.goto('/sign-in');
    await page.getByRole('link', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL('**/dashboard/**');

    // Synchronised to the other browser, where a code was never given.
    await passkeyDevice(other, device);
    await setAddress(other);
    const dialog = other.getByRole('dialog', { name: 'Confirm it is you' });
    await dialog.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(other.getByText('Address saved')).toBeVisible();
    await other.context().close();

    await page.goto('/account/security');
    // Clerk's panel draws itself anew when it has read the user again, and a menu that was open has lost its button.
    const remove = panel.getByRole('button', { name: 'Remove' });
    await expect(async () => {
      // It goes on hiding the page, but for itself.
      await page.keyboard.press('Escape');
      await panel.getByRole('button', { name: 'Open menu' }).first().click({ timeout: 5000 });
      await page.getByRole('menuitem', { name: 'Remove' }).click({ timeout: 5000 });
      await expect(remove).toBeVisible({ timeout: 5000 });
    }).toPass();
    await remove.click();
    await expect(panel.getByText('Chrome, Linux')).toHaveCount(0);
  });
});
