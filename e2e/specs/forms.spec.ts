/** Forms: what is wrong is said in the page's words, and the focus stays in the page after a change. */
import { asUser, expect, newUser, signUp, test } from '../fixtures/test';

test('an address that cannot be paid to says why, on a page whose remote has no texts of errors', async ({
  page,
  watch,
}) => {
  watch.expectErrors(/status of 400/);
  await signUp(page, newUser('payee'), '/payments/?tab=settings');
  await expect(page).toHaveTitle('Payout settings · Payments · Mining Pool');
  await page.getByRole('button', { name: 'Set address' }).click();
  const address = page.getByLabel('Bitcoin address');
  for (const [typed, said] of [
    ['bc1qw', 'This address has 5 characters; bitcoin addresses have 26 to 62.'],
    ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'This is not an address of the bitcoin main network.'],
    ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3', 'The checksum does not match: a character is wrong or missing.'],
  ] as const) {
    await address.fill(typed);
    await address.press('Enter');
    await expect(page.getByRole('alert')).toHaveText(said);
    await expect(address).toHaveValue(typed);
  }
  await address.fill('1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2');
  await address.press('Enter');
  await expect(page.getByRole('button', { name: 'Change address' })).toBeFocused();
});

test('the focus stays in the page after a new sub-account and after a bonus', async ({ page, browser, product }) => {
  const farm = newUser('farm');
  await signUp(page, farm, '/account/sub-accounts/');
  const opener = page.getByRole('button', { name: 'New sub-account' });
  await opener.click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await expect(name).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(name).toBeFocused();
  await name.fill(`${farm.userName.slice(0, 20)}-b`);
  await name.press('Enter');
  await expect(name).toHaveCount(0);
  await expect(opener).toBeFocused();

  const visitor = await (await browser.newContext({ baseURL: product.url })).newPage();
  await visitor.goto('/');
  await visitor.getByLabel('E-mail address').fill(farm.email);
  await visitor.getByRole('button', { name: 'Request the bonus' }).click();
  await expect(visitor.getByText('Your request has been received.')).toBeVisible();
  await visitor.context().close();
  const admin = await (await browser.newContext({ baseURL: product.url })).newPage();
  await asUser(admin, 'admin', '/admin/payments/bonus');
  const row = admin.getByRole('row').filter({ hasText: farm.email });
  await row.getByRole('rowheader').getByRole('button').focus();
  await admin.keyboard.press('Enter');
  await admin.getByLabel('Amount').fill('100');
  await admin.getByRole('button', { name: 'Review…' }).click();
  await admin.getByRole('button', { name: /^Grant/ }).click();
  await expect(admin.getByRole('dialog')).toHaveCount(0);
  await expect(row).toHaveCount(0);
  await expect(admin.getByRole('heading', { level: 1 })).toBeFocused();
  await admin.context().close();
});

test('days are typed as the page writes them', async ({ page }) => {
  await asUser(page, 'demo', '/payments/');
  await page.getByRole('button', { name: /Date range/ }).click();
  const from = page.getByRole('textbox', { name: 'From' });
  await expect(from).toHaveValue(/^\d{1,2} \w{3} \d{4}$/);
  await from.fill('1/11/2026');
  await from.press('Enter');
  await expect(page).toHaveURL(/from=2026-11-01/);
});
