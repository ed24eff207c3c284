import { readFile } from 'node:fs/promises';
import { asUser, expect, test } from '../fixtures/test';

test('all sub-accounts together are a choice of the picker: their workers, a file with the account of each, and a page that is of one', async ({
  page,
}) => {
  await asUser(page, 'demo');
  const navigation = page.getByRole('navigation', { name: 'Main navigation' });
  const goTo = (name: string) => navigation.getByRole('link', { name }).click();
  const picker = page.getByRole('button', { name: /^Account:/ });
  await picker.click();
  await page.getByRole('menuitemradio', { name: 'All sub-accounts' }).click();
  await expect(picker).toHaveText('All sub-accounts');
  await expect(page.getByTestId('hashrate-5m')).toHaveText(/\d/);
  await expect(page.getByText('Each sub-account is paid by itself.')).toBeVisible();
  await expect(page.getByText('stratum+tcp://').first()).toBeHidden();

  // The choice is kept by a reload, and goes along to the other pages.
  await page.reload();
  await expect(picker).toHaveText('All sub-accounts');
  await expect(page.getByText('Each sub-account is paid by itself.')).toBeVisible();
  await goTo('Workers');
  const table = page.getByRole('table', { name: 'Workers' });
  await table.getByRole('button', { name: 'Sub-account' }).click();
  await expect(table.getByRole('row').nth(1)).toContainText('demo');
  await table.getByRole('button', { name: 'Sub-account' }).click();
  await expect(table.getByRole('row').nth(1)).toContainText('hangar-2');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export the list as CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^workers-ALL-/);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/);
  expect(lines[0]).toMatch(/sub_account,worker,/);
  expect(new Set(lines.slice(1).map((line) => line.split(',')[0]))).toEqual(new Set(['demo', 'hangar-2']));

  await goTo('Payments');
  await expect(page.getByText('Each sub-account is paid by itself.')).toBeVisible();
  await page.getByRole('link', { name: 'Payouts' }).click();
  // Each says below its day whose it is.
  await expect(page.getByRole('row', { name: /20\d\d\s*(demo|hangar-2)/ }).first()).toBeVisible();

  await goTo('Workers');
  await page.getByRole('link', { name: 'Groups' }).click();
  await page.getByRole('main').getByRole('link', { name: 'hangar-2' }).click();
  await expect(picker).toHaveText('hangar-2');
  await expect(page.getByRole('table', { name: 'Groups' })).toBeVisible();
});
