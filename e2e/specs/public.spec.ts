import { asUser, expect, test } from '../fixtures/test';

test('a watcher link shows what its scopes open, by the same pages, until it is revoked', async ({
  page,
  browser,
  product,
}) => {
  await asUser(page, 'demo', '/account/watchers');
  await page.getByRole('button', { name: 'New watcher link' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Investor');
  await page.getByRole('checkbox', { name: 'Workers' }).check();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = await page
    .getByText(/\/watch\/wt_[\w-]{32}/)
    .first()
    .textContent();
  const path = /\/watch\/wt_[\w-]{32}/.exec(link ?? '')?.[0] ?? '';
  const guest = await (await browser.newContext({ baseURL: new URL(page.url()).origin })).newPage();
  const foreign: string[] = [];
  guest.on('response', (response) => {
    if (response.status() >= 400) foreign.push(`${response.status()} ${response.url()}`);
  });
  // The address is the key: no request names it, that of a font neither.
  const named: string[] = [];
  const kinds = new Set<string>();
  const reading: Promise<void>[] = [];
  guest.on('request', (request) => {
    kinds.add(request.resourceType());
    const read = async (): Promise<void> => {
      const { referer = '' } = await request.allHeaders();
      if (referer.includes('wt_')) named.push(`${request.resourceType()} ${request.url()}: ${referer}`);
    };
    reading.push(read());
  });
  await guest.goto(path);
  await expect(guest).toHaveURL(/\/watch\/wt_[\w-]+\/dashboard\//);
  await expect(guest.getByTestId('hashrate-5m')).toContainText(/\d/);
  await expect(guest.getByText('Read-only view of demo')).toBeVisible();
  const tabs = guest.getByRole('navigation', { name: 'Main navigation' }).getByRole('link');
  await expect(tabs).toHaveText(['Dashboard', 'Workers']);
  await expect(guest.getByText('Unpaid balance')).toBeHidden();
  await tabs.nth(1).click();
  await guest.getByText('SCRYPT', { exact: true }).click();
  await expect(guest).toHaveURL(/\/workers\/\?algorithm=SCRYPT$/);
  await guest.getByRole('row').nth(1).click();
  await expect(guest).toHaveURL(/\/watch\/wt_[\w-]+\/workers\/\d+\?algorithm=SCRYPT$/);
  await guest.goBack();
  await expect(guest).toHaveURL(/\/workers\/\?algorithm=SCRYPT$/);
  expect(foreign).toEqual([]);
  await Promise.all(reading);
  expect([...kinds]).toEqual(expect.arrayContaining(['document', 'script', 'font', 'fetch']));
  expect(named).toEqual([]);

  await page.getByRole('button', { name: 'Done, I saved it' }).click();
  await page
    .getByRole('button', { name: /^Revoke/ })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('“Investor” revoked')).toBeVisible();
  await guest.reload();
  await expect(guest.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await guest.goto('/pages/setup?account=demo');
  await guest.getByRole('navigation', { name: 'Models' }).getByRole('link', { name: 'Bitaxe Gamma' }).click();
  await expect(guest).toHaveURL(/model=gamma/);
  const machine = guest.getByRole('region', { name: 'Bitaxe Gamma' });
  await expect(machine.getByText(String(product.stratum.sha256), { exact: true })).toBeVisible();
  await expect(machine.getByText('demo.rig-01')).toBeVisible();
  await guest.goto('/pages/faq#hold');
  await expect(guest.getByText('after a change nothing is paid for 72 hours')).toBeVisible();
  await guest.getByRole('link', { name: 'Profit calculator' }).click();
  await expect(guest.getByText(/Starts from/)).toBeVisible();
  await guest.getByRole('link', { name: 'Privacy Policy' }).click();
  await expect(guest.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();

  await guest.goto('/');
  await expect(guest.getByRole('region', { name: 'Shares of the last minute' })).toContainText(/SHA256 [1-9]/);
  await guest.getByLabel('E-mail address').fill('guest@example.com');
  await guest.getByRole('button', { name: 'Request the bonus' }).click();
  await expect(guest.getByText(/^Your request has been received/)).toBeVisible();
});
