import type { Page } from '@playwright/test';
import { startMiner } from '../../api/src/testing/miner';
import { call, expect, follow, newUser, signUp, test } from '../fixtures/test';

test('people of one farm: a technician joins on a phone in Arabic, mutes a machine, sees no sum and is removed; an accountant exports', async ({
  page,
  browser,
  product,
  watch,
}) => {
  // What the removed member's page asks before it knows.
  watch.expectErrors(/status of 403/);
  const owner = newUser('farm');
  await signUp(page, owner, '/account/organization');
  await page.getByLabel('Name of the organization').fill('Northfield Mining');
  await expect(page.getByText(`${owner.userName}-2, new and empty`)).toBeVisible();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Make an organization' }).click();
  await expect(page.getByText('Nobody else is here yet')).toBeVisible();
  await expect(page.getByRole('banner').getByText('Northfield Mining · Owner')).toBeVisible();
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
  await other.waitForURL('**/sign-up**');
  expect(other.url()).not.toContain(link.split('#')[1]);
  await signUp(other, technician, '/invitation');
  await other.getByRole('button', { name: /^الانضمام باسم/ }).click();
  await other.waitForURL('**/dashboard/**');
  const miner = startMiner(product.stratum.sha256, `${owner.userName}.rig-01`);
  await follow(other, '/workers/');
  const picker = other.getByRole('button', { name: new RegExp(`^الحساب: ${owner.userName}`) });
  await expect(picker).toHaveText(/Northfield Mining · فني/);
  await expect(other.getByRole('link', { name: 'المدفوعات' })).toHaveCount(0);
  const rig = other.locator('a[data-worker]', { hasText: 'rig-01' }).first();
  await expect(rig)
    .toBeVisible()
    .finally(() => miner.stop());
  await rig.click();
  const details = other.getByRole('complementary', { name: /rig-01/ });
  await details.getByRole('switch').first().click();
  // The events are read when they are scrolled to.
  await details.getByRole('region', { name: 'الأحداث' }).scrollIntoViewIfNeeded();
  await expect(details.getByText('كُتمت التنبيهات').first()).toBeVisible();
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
  await page.getByRole('menuitem', { name: `${owner.userName}-2` }).click();
  await account(`${owner.userName}-2`).click();
  await page.getByText('Northfield Mining').click();
  await expect(account(owner.userName)).toBeVisible();
  // Each page is shown for who acts now, not for who did when it was left.
  await page.goBack();
  await expect(account(owner.userName)).toBeVisible();
  await page.goForward();
  await expect(account(owner.userName)).toBeVisible();
});

const ROLES = [
  { role: 'manager' },
  { role: 'technician' },
  { role: 'accountant' },
  { role: 'viewer' },
  { role: 'viewer', money: true },
  { role: 'technician', limited: true },
];

/** Pages that the links on this one lead to; a tab is a page. */
const pagesLinked = (page: Page): Promise<string[]> =>
  page.locator('a[href^="/"]').evaluateAll((links) =>
    links.map((link) => {
      const { pathname, searchParams } = new URL((link as HTMLAnchorElement).href);
      const tab = searchParams.get('tab');
      return pathname.replace(/\/$/, '') + (tab ? `/?tab=${tab}` : '/');
    }),
  );
const LOADED = ['/dashboard/', '/account/security/'];
const PUBLIC = /^\/((pages\/(?!account-settings)|api\/docs).*)?$/;

/** The bell and the palette, which ask too. Leaves the bell open: it has a link. */
async function askEverywhere(page: Page) {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('rig');
  await expect(page.getByRole('option', { name: 'rig-01' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(page.getByRole('link', { name: 'Alert settings' })).toBeVisible();
}

test('what a role may not do is neither linked nor asked for', async ({ page, browser, product }) => {
  const owner = newUser('hill');
  await signUp(page, owner, '/account/organization');
  await page.getByLabel('Name of the organization').fill('Hill');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Make an organization' }).click();
  await expect(page.getByRole('button', { name: 'Delete the organization' })).toBeVisible();
  const { link } = (await call(page, 'POST', '/organization/invitations', { role: 'viewer' })) as { link: string };
  const miner = startMiner(product.stratum.sha256, `${owner.userName}.rig-01`);
  const other = await (await browser.newContext({ locale: 'en' })).newPage();
  await signUp(other, newUser('hand'), link.replace(/^https?:\/\/[^/]*/, ''));
  await other.getByRole('button', { name: /^Join as/ }).click();
  await expect(other.getByRole('link', { name: 'Online 1' })).toBeVisible();
  miner.stop();
  const { organization } = (await call(page, 'GET', '/organization')) as {
    organization: { members: { id: number; own: boolean }[] };
  };
  const member = organization.members.find(({ own }) => !own)?.id;

  const refused: string[] = [];
  let at = '';
  other.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(`${at}: ${answer.status()} ${answer.url()}`);
  });
  for (const { role, money = false, limited } of ROLES) {
    const accounts = limited ? [owner.userName] : null;
    // An open page would begin anew with the new role.
    await other.goto('about:blank');
    await call(page, 'PUT', `/organization/members/${member}`, { role, money, accounts });
    const pages = ['/dashboard/'];
    for (const path of pages) {
      at = `${role} ${money ? 'with money ' : ''}${limited ? 'of one account ' : ''}at ${path}`;
      // The first page is loaded, and the one for which Clerk begins anew, with its forms.
      await (LOADED.includes(path) ? other.goto(path) : follow(other, path));
      const main = other.getByRole('main');
      await expect(main.getByRole('heading').first(), at).toBeVisible();
      await expect(main.locator('[aria-busy=true]'), at).toHaveCount(0);
      await expect(main.getByText('Page not found'), at).toHaveCount(0);
      if (path === '/dashboard/') await askEverywhere(other);
      for (const to of await pagesLinked(other)) if (!pages.includes(to) && !PUBLIC.test(to)) pages.push(to);
    }
    expect(refused).toEqual([]);
  }
});
