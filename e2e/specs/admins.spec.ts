/** What admins do, in a pool of their own: two at once, twice, over a broken connection, from a phone. */
import type { Browser, Page } from '@playwright/test';
import type { Product } from '../fixtures/product';
import { startDemo } from '../fixtures/shared-product';
import { expect, follow, newUser, signIn, signUp, test as base } from '../fixtures/test';

/** A browser of somebody else. */
const another = async (browser: Browser, baseURL: string): Promise<Page> =>
  (await browser.newContext({ baseURL })).newPage();

/** A call of the page's user. */
const call = (page: Page, method: string, path: string, body?: unknown): Promise<unknown> =>
  page.evaluate(
    async ([verb, to, json]) => {
      const cookie = (name: string) => new RegExp(`(?:^|; )${name}=([^;]+)`).exec(document.cookie)?.[1] ?? '';
      const answer = await fetch(`/api${to}`, {
        method: verb,
        headers: {
          authorization: `Bearer ${cookie('__session')}`,
          'x-xsrf-token': decodeURIComponent(cookie('XSRF-TOKEN')),
          'idempotency-key': crypto.randomUUID(),
          'content-type': 'application/json',
        },
        body: json,
      });
      if (!answer.ok) throw new Error(`${verb} ${to}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  );
const read = async <T>(page: Page, path: string): Promise<T> => (await page.request.get(`/api${path}`)).json();

const test = base.extend<{ pool: Product }>({
  pool: async ({}, use) => {
    const pool = await startDemo();
    await use(pool);
    await pool.dispose();
  },
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
  await page.goto('/admin/payments');
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

test('admins: a role comes and goes, two edit one row, and money moves once', async ({
  page,
  browser,
  pool,
  watch,
}) => {
  test.setTimeout(240_000);
  watch.expectErrors(/ERR_FAILED|status of 4(09|22)/);
  await signIn(page, 'admin');
  const other = newUser('second');
  const second = await another(browser, pool.url);
  await signUp(second, other);
  const users = second.getByRole('navigation').getByRole('link', { name: 'Users' });
  await expect(users).toHaveCount(0);

  await test.step('where the operator has no Telegram bot, none is offered', async () => {
    await second.getByRole('navigation').getByRole('link', { name: 'Account' }).click();
    await expect(second.getByRole('link', { name: 'Watcher links' })).toBeVisible();
    await expect(second.getByRole('link', { name: 'Telegram' })).toHaveCount(0);
    expect((await second.request.get('/account/telegram')).status()).toBe(404);
  });

  await test.step('the admin area comes to an open page', async () => {
    await edit(page, other.userName, 'Role', 'admin');
    await save(page);
    await users.click();
    await expect(second.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
  });

  await test.step('two admins edit one row: the second sees the change, nothing is overwritten', async () => {
    await edit(page, 'demo', 'Fee, %', '3');
    await edit(second, 'demo', 'Fee, %', '2');
    await save(second);
    await expect(second.getByText('Saved: 1')).toBeVisible();
    await save(page);
    await expect(page.getByText(/The rows were reloaded/)).toBeVisible();
    await expect(page.getByRole('table', { name: 'Changes' })).toContainText(/demo\s*Fee, %\s*2\s*3/);
    const fee = async () =>
      (await read<{ rows: { feePercent: number }[] }>(page, '/admin/editUsers?search=demo')).rows[0]?.feePercent;
    expect(await fee()).toBe(2);
    await save(page);
    await expect.poll(fee).toBe(3);
  });

  await test.step('payments are opened by the calculation, over its preview', async () => {
    const accounts = await read<{ rows: { id: number }[] }>(page, '/admin/subAccounts');
    await page.goto('/admin/payments');
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

  await test.step('overview, terms, audit log and system', async () => {
    await page.goto('/admin/overview');
    await page.getByRole('link', { name: /^Payments waiting for approval/ }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible();
    await follow(page, '/admin/terms');
    await page.getByRole('button', { name: 'Edit… Pool fee' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pool fee' });
    await dialog.getByLabel('New value').fill('2.5');
    await dialog.getByRole('button', { name: 'Preview the effect' }).click();
    await expect(dialog.getByText('Users affected')).toBeVisible();
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await expect(page.getByText('Applies from the next UTC day')).toBeVisible();
    await follow(page, '/admin/audit?action=terms');
    await page.getByRole('table').getByText('Pool fee', { exact: true }).click();
    await expect(page.getByRole('dialog')).toContainText('2.5');
    await follow(page, '/admin/system');
    await expect(page.getByText('Balances checked against the ledger')).toBeVisible();
    await expect(page.getByRole('table', { name: 'Remotes' })).toContainText('payments');
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
  });

  await test.step('a price ten times the last one is confirmed twice', async () => {
    await follow(page, '/admin/terms');
    await page.getByRole('button', { name: 'Set today’s price…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set today’s price…' });
    const price = dialog.getByLabel('Price of work per day');
    await price.fill(String(Number(await price.inputValue()) * 10));
    await dialog.getByRole('button', { name: 'Preview the effect' }).click();
    const save = dialog.getByRole('button', { name: 'Change', exact: true });
    await expect(dialog.getByText('This is 10 times the last price.')).toBeVisible();
    await expect(save).toBeDisabled();
    await dialog.getByRole('checkbox', { name: 'This price is right' }).check();
    await save.click();
    await expect(page.getByText('Today’s price is set')).toBeVisible();
  });

  await test.step('in two tabs', async () => {
    const tab = await page.context().newPage();
    const id = await choose(page);
    expect(await choose(tab)).toBe(id);
    await approve(page).click();
    await expect(page.getByText(/1 payment approved,/)).toBeVisible();
    // The other tab either knows already, or is refused.
    await approve(tab)
      .click({ timeout: 5_000 })
      .catch(() => undefined);
    await tab.close();
    expect(await approvals(page, id)).toBe(1);
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

  await test.step('from a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/admin/payments');
    const pending = await read<{ total: number }>(page, '/getPayments/?status=pending');
    expect(pending.total).toBeGreaterThan(0);
    await page.getByRole('list', { name: 'Payments' }).getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Approve…' }).click();
    await approve(page).click();
    await expect(page.getByText(/1 payment approved,/)).toBeVisible();
    expect((await read<{ total: number }>(page, '/getPayments/?status=pending')).total).toBe(pending.total - 1);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('the admin area goes from an open page, and calls are refused at once', async () => {
    await second.goto('/admin/audit');
    await expect(second.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible();
    const [row] = (await read<{ rows: { id: number }[] }>(page, `/admin/editUsers?search=${other.userName}`)).rows;
    await page.goto('/admin/overview');
    await call(page, 'PUT', `/users/?id=${row?.id}`, { role: 'miner' });
    expect((await second.request.get('/api/users/')).status()).toBe(403);
    await expect(second.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
    await expect(users).toHaveCount(0);
  });
  await second.context().close();
});
