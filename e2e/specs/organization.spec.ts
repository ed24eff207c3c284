import { expect, newUser, signUp, test } from '../fixtures/test';

test('two people, one farm: invited by a link, joined on a phone in Arabic, no sum seen, removed while the page is open', async ({
  page,
  browser,
  watch,
}) => {
  test.setTimeout(180_000);
  // What the removed member's page asks before it knows.
  watch.expectErrors(/status of 403/);
  const owner = newUser('farm');
  await signUp(page, owner, '/account/organization');
  await page.getByLabel('Name of the organization').fill('Northfield Mining');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard/**');
  await page.goto('/account/organization');
  const members = page.getByRole('table', { name: 'Members' });
  await expect(members.getByText('Owner')).toBeVisible();

  await page.getByRole('button', { name: 'Invite a person' }).click();
  await page.getByRole('button', { name: 'Make a link' }).click();
  const link = await page.getByText(/\/invitation\?token=/).innerText();
  await page.getByRole('button', { name: 'Done, I saved it' }).click();

  const phone = await browser.newContext({ locale: 'ar', viewport: { width: 390, height: 844 }, hasTouch: true });
  const other = await phone.newPage();
  const technician = newUser('tech');
  await signUp(other, technician, new URL(link).pathname + new URL(link).search);
  await other.getByRole('button', { name: /^الانضمام باسم/ }).click();
  await other.waitForURL('**/dashboard/**');
  await other.goto('/workers/');
  await expect(other.getByRole('button', { name: new RegExp(`^الحساب: ${owner.userName}`) })).toBeVisible();
  await expect(other.getByRole('link', { name: 'المدفوعات' })).toHaveCount(0);
  const seen = async (path: string) => (await other.request.get(path)).status();
  expect([await seen('/api/payment/'), await seen('/api/wallet/'), await seen('/api/getWorkerCount/')]).toEqual([
    403, 403, 200,
  ]);

  await page.reload();
  await page.getByRole('button', { name: `Remove: ${technician.userName}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText(`${technician.userName} was removed.`)).toBeVisible();
  await other.waitForURL('**/dashboard/**');
  await expect(other.getByRole('button', { name: new RegExp(`^الحساب: ${technician.userName}`) })).toBeVisible();
  await phone.close();

  // To the own account, and back.
  const account = (name: string) => page.getByRole('button', { name: new RegExp(`^Account: ${name}\\b(?!-)`) });
  await page.goto('/dashboard/');
  await account(owner.userName).click();
  await page.getByText('My own account').click();
  await account(`${owner.userName}-2`).click();
  await page.getByText('Northfield Mining').click();
  await expect(account(owner.userName)).toBeVisible();
});
