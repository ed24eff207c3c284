/** What admins do, in a pool of their own: twice, over a broken connection. */
import type { Browser, Page } from '@playwright/test';
import { lend, type Product } from '../fixtures/product';
import { NO_MINERS, startDemo } from '../fixtures/shared-product';
import { call, expect, follow, newUser, signIn, signUp, test as base } from '../fixtures/test';

/** A browser of somebody else. */
const another = async (browser: Browser, baseURL: string): Promise<Page> =>
  (await browser.newContext({ baseURL })).newPage();

const read = async <T>(page: Page, path: string): Promise<T> => (await page.request.get(`/api${path}`)).json();

const test = base.extend<{ pool: Product }>({
  pool: ({}, use) => lend(startDemo(NO_MINERS), use),
  product: async ({ pool }, use) => use(pool),
});

/** Opens the sheet of one user and writes a field. */
async function edit(page: Page, userName: string, field: string, value: string) {
  await page.goto(`/admin/users?q=${userName}`);
  await page.getByRole('table').getByText(userName, { exact: true }).click();
  await page.getByRole('button', { name: 'Edit…' }).click();
  const cell = page.getByLabel(`${userName}: ${field}`);
  if (field === 'Role') await cell.selectOption(value);
  else await cell.fill(value);
  await page.getByRole('button', { name: 'Review changes: 1' }).click();
}
const save = (page: Page) => page.getByRole('button', { name: 'Save: 1' }).click();

/** Opens the confirmation for the oldest pending payment; the id of the payment. */
async function choose(page: Page): Promise<number> {
  await follow(page, '/admin/payments');
  await page.getByRole('checkbox').nth(1).check();
  const [first] = (await read<{ rows: { id: number }[] }>(page, '/getPayments/?status=pending&order=oldest')).rows;
  await page.getByRole('button', { name: 'Approve…' }).click();
  await expect(page.getByRole('dialog', { name: 'Approve these payments?' })).toBeVisible();
  return first!.id;
}
const approve = (page: Page) => page.getByRole('button', { name: 'Approve: 1' });
/** How often the payment was approved, by the audit log. */
const approvals = async (page: Page, id: number): Promise<number> =>
  (await read<{ total: number }>(page, `/audit?action=payment.queued&subject=${id}`)).total;

test('admins: a role comes and goes, a bonus is granted, and money moves once', async ({
  page,
  browser,
  pool,
  watch,
}) => {
  watch.expectErrors(/ERR_FAILED|status of 4(09|22)/);
  await signIn(page, 'admin');
  const other = newUser('second');
  const second = await another(browser, pool.url);
  await signUp(second, other);
  const users = second.getByRole('navigation').getByRole('link', { name: 'Users' });
  await expect(users).toHaveCount(0);

  await test.step('the admin area comes to an open page', async () => {
    await edit(page, other.userName, 'Role', 'admin');
    await save(page);
    await users.click();
    await expect(second.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
  });

  await test.step('payments are opened by the calculation, over its preview', async () => {
    const accounts = await read<{ rows: { id: number }[] }>(page, '/admin/subAccounts');
    await follow(page, '/admin/payments');
    await call(page, 'PUT', '/bulkUpdateSubAccounts', {
      updates: accounts.rows.map(({ id }) => ({ id, thresholdSat: 10_000 })),
    });
    await page.getByRole('button', { name: 'Run calculation…' }).click();
    await page.getByRole('button', { name: 'Run calculation', exact: true }).click();
    await expect(page.getByRole('table', { name: 'Payments' }).getByText('legacy')).toBeVisible();
  });

  await test.step('clicked twice', async () => {
    const id = await choose(page);
    await approve(page).dblclick();
    await expect(page.getByText(/1 payment approved,/)).toBeVisible();
    expect(await approvals(page, id)).toBe(1);
  });

  await test.step('a bonus is granted after a second look, and another account is not the sender’s', async () => {
    await call(second, 'POST', `/requestBonus?email=${encodeURIComponent(other.email)}`);
    await follow(page, '/admin/payments/bonus');
    await page.getByRole('table').getByText(other.email).click();
    const dialog = page.getByRole('dialog');
    const owner = dialog.getByText('Signed up with this e-mail address.');
    await expect(owner).toBeVisible();
    await dialog.getByLabel('Account').fill('demo');
    await expect(owner).toBeHidden();
    await dialog.getByLabel('Account').fill(other.userName);
    await dialog.getByLabel('Amount').fill('5000');
    await dialog.getByRole('button', { name: 'Review…' }).click();
    await expect(dialog.getByText('Grant this bonus?')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Refuse' })).toHaveCount(0);
    await dialog.getByRole('button', { name: /^Grant/ }).click();
    await expect(page.getByText(`Bonus granted to ${other.userName}`)).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  });

  await test.step('through a connection that breaks after the server has done it', async () => {
    const id = await choose(page);
    const keys: (string | undefined)[] = [];
    await page.route(/\/api\/(getPayments|bulkUpdatePayments)/, async (route) => {
      const isWrite = route.request().method() === 'PUT';
      if (isWrite) keys.push(route.request().headers()['idempotency-key']);
      if (keys.length !== 1) return route.continue();
      if (isWrite) await route.fetch();
      await route.abort();
    });
    await approve(page).click();
    await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
    await approve(page).click();
    await expect(page.getByText(/1 payment approved,/)).toBeVisible();
    expect(new Set(keys).size).toBe(1);
    expect(await approvals(page, id)).toBe(1);
    await page.unrouteAll();
  });

  await test.step('the admin area goes from an open page, and calls are refused at once', async () => {
    await follow(second, '/admin/audit');
    await expect(second.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible();
    const [row] = (await read<{ rows: { id: number }[] }>(page, `/admin/editUsers?search=${other.userName}`)).rows;
    await call(page, 'PUT', `/users/?id=${row?.id}`, { role: 'miner' });
    expect((await second.request.get('/api/users/')).status()).toBe(403);
    await expect(second.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
    await expect(users).toHaveCount(0);
  });
  await second.context().close();
});
