/** An empty database to the first miner paid, by people who read only what is printed and what the pages say. */
import { startMiner } from '../../../api/src/testing/miner';
import { lend, startProduct, type Product } from '../../fixtures/product';
import { Records } from '../../fixtures/records';
import { startUpstream } from '../../fixtures/upstream';
import { expect, hold, newUser, submitSignUp, test as base } from '../../fixtures/test';

const test = base.extend<{ pool: Product }>({
  pool: ({}, use) => lend(startProduct(), use),
  product: async ({ pool }, use) => use(pool),
});

/** The sum of difficulties of a whole day at 1 PH/s. */
const WORK = (1e15 * 86_400) / 2 ** 32;
const ADDRESS = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';

test('from an empty database to the first miner paid', async ({ page, browser, pool, watch }) => {
  // Restarting the pool cuts what its pages ask; a link that is used up is refused.
  watch.expectErrors(/ERR_|Failed to load resource|Failed to fetch|network error/);
  const [boss, farm] = [newUser('boss'), newUser('farm')];
  const another = async () => (await browser.newContext({ baseURL: pool.url })).newPage();
  const link = await pool.adminLink();
  const setup = page.getByRole('region', { name: 'Before other miners join' });

  await test.step('the printed link makes the first admin, once', async () => {
    await page.goto(link);
    await expect(page.getByText('You become the first administrator of this pool.')).toBeVisible();
    await submitSignUp(page, boss);
    await page.waitForURL(/\/(dashboard|admin)\//);
    const late = await another();
    const faults: string[] = [];
    late.on('pageerror', ({ message }) => faults.push(message));
    late.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('status of 422')) faults.push(message.text());
    });
    await late.goto(link);
    await submitSignUp(late, { ...newUser('late'), userName: boss.userName });
    await expect(late.getByText('That username is taken. Please try another.').first()).toBeVisible();
    await submitSignUp(late, newUser('late'));
    await expect(late.getByText('This code makes nobody an administrator any more.').first()).toBeVisible();
    expect(faults).toEqual([]);
    await late.context().close();
  });

  await test.step('an admin without machines lands on the overview, which says what is missing', async () => {
    await expect(setup).toContainText(/Upstream pool.*nobody earns anything.*UPSTREAM_SHA256/);
    await expect(page.locator('nav, aside').getByText('Hashprice')).toHaveCount(0);
  });

  await test.step('a price is set by hand', async () => {
    await setup.getByRole('link', { name: 'Terms' }).first().click();
    await page.getByRole('button', { name: 'Set today’s price…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/Price of work/).fill('0.0005');
    await dialog.getByLabel('Bitcoin, USD').fill('90000');
    await dialog.getByRole('button', { name: /Review|Preview/ }).click();
    const sure = dialog.getByRole('checkbox');
    if (await sure.isVisible()) await sure.check();
    await dialog.getByRole('button', { name: /^(Set|Change)/ }).click();
    await expect(page.getByText('Today’s price is set')).toBeVisible();
  });

  const upstream = await startUpstream(1e-7);
  await page.goto('about:blank');
  await pool.kill();
  await pool.start({ UPSTREAM_SHA256: upstream.url });
  const miners = await another();

  await test.step('a miner signs up, follows the first-run page and says where to pay', async () => {
    await miners.goto('/sign-up');
    await submitSignUp(miners, farm);
    await miners.waitForURL('**/dashboard/**');
    await expect(miners.getByRole('heading', { level: 1, name: 'Connect your first worker' })).toBeVisible();
    await expect(miners.getByText(/has no upstream pool/)).toHaveCount(0);
    const port = Number(
      /:(\d+)$/.exec(
        (await miners
          .getByText(/^stratum\+tcp/)
          .first()
          .textContent()) ?? '',
      )?.[1],
    );
    const miner = startMiner(port, `${farm.userName}.rig-01`);
    await expect(miners.getByRole('heading', { level: 1, name: 'Dashboard' }))
      .toBeVisible()
      .finally(() => miner.stop());
    await miners.getByRole('navigation').getByRole('link', { name: 'Payments' }).click();
    await miners.getByRole('link', { name: 'Settings' }).click();
    await miners.getByLabel('Bitcoin address').fill(ADDRESS);
    const answerBalance = await hold(miners, /\/api\/payment\//);
    await miners.getByLabel('Bitcoin address').press('Enter');
    await expect(miners.getByText(ADDRESS).first()).toBeVisible();
    const saving = miners.getByRole('button', { name: 'Save threshold' });
    const before = await saving.boundingBox();
    await expect(miners.getByText('No payout address is set.')).toBeVisible();
    answerBalance();
    await expect(miners.getByText('No earnings yet.')).toBeVisible();
    expect(await saving.boundingBox(), 'what is about to be pressed stays where it is').toEqual(before);
    await miners.getByLabel('Payout threshold').fill('0.0001');
    await saving.click();
    await expect(miners.getByText('Threshold saved')).toBeVisible();
  });

  await test.step('two days pass, with the work of a whole day', async () => {
    await pool.kill();
    const records = await Records.open(pool);
    await records.rows("update day_price set day = day - 2, known_at = known_at - interval '2 days'");
    await records.rows(
      `insert into account_1h (sub_account_id, algorithm, at, accepted, shares)
       select id, 'SHA256_ASICBOOST', date_trunc('day', now(), 'UTC') - interval '36 hours', $2, 1
       from sub_account where name = $1`,
      [farm.userName, WORK],
    );
    await records.close();
    await pool.start({ UPSTREAM_SHA256: upstream.url });
  });

  await test.step('the admin approves and sends what was earned', async () => {
    await page.goto('/admin/overview');
    await expect(setup).toContainText(/Upstream pool \(done\).*Price \(done\)/);
    await page.getByRole('link', { name: /^Payments waiting for approval/ }).click();
    const states = page.getByRole('radiogroup', { name: 'Status' });
    for (const [state, act, ok, next] of [
      ['Pending', 'Approve…', 'Approve: 1', 'Queued'],
      ['Queued', 'Mark as sent…', 'Mark as sent: 1', 'Sent'],
      ['Sent', 'Confirm…', 'Confirm: 1', 'Confirmed'],
    ] as const) {
      await states.getByText(state).click();
      await page.getByRole('table', { name: 'Payments' }).getByText(farm.userName).first().click();
      await page.getByRole('button', { name: act }).click();
      if (ok.startsWith('Mark')) await page.getByLabel('Transaction id').fill('ab'.repeat(32));
      await page.getByRole('button', { name: ok }).click();
      await expect(states).toContainText(`${next}1`);
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
  });

  await test.step('the miner is paid', async () => {
    await miners.goto('/payments/?tab=payouts');
    const table = miners.getByRole('table', { name: 'Payouts', exact: true });
    await expect(table).toContainText(/0\.0004\d/);
    await expect(table.locator('[aria-current=step]')).toContainText('Confirmed');
  });
  await miners.context().close();
  upstream.close();
});
