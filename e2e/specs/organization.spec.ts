import { startMiner } from '../../api/src/testing/miner';
import { expect, follow, newUser, signUp, test } from '../fixtures/test';

test('people of one farm: a technician joins on a phone in Arabic, mutes a machine, sees no sum and is removed; an accountant exports', async ({
  page,
  browser,
  product,
  watch,
}) => {
  test.setTimeout(180_000);
  // What the removed member's page asks before it knows.
  watch.expectErrors(/status of 403/);
  const owner = newUser('farm');
  await signUp(page, owner, '/account/organization');
  await page.getByLabel('Name of the organization').fill('Northfield Mining');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Make an organization' }).click();
  await page.waitForURL('**/dashboard/**');
  await follow(page, '/account/organization');
  const members = page.getByRole('table', { name: 'Members' });
  await expect(members.getByText('Owner')).toBeVisible();

  const invite = async (role?: string): Promise<string> => {
    await page.getByRole('button', { name: 'Invite a person' }).click();
    if (role) {
      await page.getByRole('combobox', { name: 'Role' }).click();
      await page.getByTitle(role, { exact: true }).click();
    }
    await page.getByRole('button', { name: 'Make a link' }).click();
    const link = new URL(await page.getByText(/\/invitation#/).innerText());
    await page.getByRole('button', { name: 'Done, I saved it' }).click();
    return link.pathname + link.hash;
  };
  const link = await invite();
  const phone = await browser.newContext({ locale: 'ar', viewport: { width: 390, height: 844 }, hasTouch: true });
  const other = await phone.newPage();
  const technician = newUser('tech');
  await other.goto(link);
  await other.waitForURL('**/sign-in**');
  expect(other.url()).not.toContain(link.split('#')[1]);
  await signUp(other, technician, '/invitation');
  await other.getByRole('button', { name: /^الانضمام باسم/ }).click();
  await other.waitForURL('**/dashboard/**');
  const miner = startMiner(product.stratum.sha256, `${owner.userName}.rig-01`);
  await follow(other, '/workers/');
  await expect(other.getByRole('button', { name: new RegExp(`^الحساب: ${owner.userName}`) })).toBeVisible();
  await expect(other.getByRole('link', { name: 'المدفوعات' })).toHaveCount(0);
  const rig = other.locator('a[data-worker]', { hasText: 'rig-01' }).first();
  await expect(rig)
    .toBeVisible({ timeout: 60_000 })
    .finally(() => miner.stop());
  await rig.click();
  await other
    .getByRole('complementary', { name: /rig-01/ })
    .getByRole('switch')
    .first()
    .click();
  await expect(other.getByText('كُتمت التنبيهات').first()).toBeVisible();
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

  const desk = await browser.newContext({ locale: 'en' });
  const accountant = newUser('books');
  const books = await desk.newPage();
  await signUp(books, accountant, await invite('Accountant'));
  await books.getByRole('button', { name: /^Join as/ }).click();
  await books.waitForURL('**/dashboard/**');
  await follow(books, '/payments/');
  const download = books.waitForEvent('download');
  await books.getByRole('button', { name: 'Export CSV' }).click();
  const file = (await download).suggestedFilename();
  expect((await books.request.get('/api/poolConfigs/')).status()).toBe(403);
  await desk.close();
  // What was downloaded is in the owner's log, and who muted the machine.
  await follow(page, '/account/log');
  const log = page.getByRole('main');
  await expect(log.getByText('File downloaded')).toBeVisible();
  await expect(log.getByText(accountant.userName).first()).toBeVisible();
  await expect(log.getByText(technician.userName).first()).toBeVisible();
  expect(file).toContain(owner.userName);

  // To the own account, and back.
  const account = (name: string) => page.getByRole('button', { name: new RegExp(`^Account: ${name}\\b(?!-)`) });
  await page.goto('/dashboard/');
  await account(owner.userName).click();
  await page.getByText('My own account').click();
  await account(`${owner.userName}-2`).click();
  await page.getByText('Northfield Mining').click();
  await expect(account(owner.userName)).toBeVisible();
  // Each page is shown for who acts now, not for who did when it was left.
  await page.goBack();
  await expect(account(owner.userName)).toBeVisible();
  await page.goForward();
  await expect(account(owner.userName)).toBeVisible();
});
