/** A day whose figures are not plausible: it waits, admins hear of it, and one of them decides. */
import { startProduct, type Product } from '../../fixtures/product';
import { Records } from '../../fixtures/records';
import { expect, newUser, signUp, test as base } from '../../fixtures/test';

const DAY_MS = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
/** The sum of difficulties of a whole day with this mean, H/s. */
const workOf = (hashrate: number): number => (hashrate * 86_400) / 2 ** 32;

const test = base.extend<{ pool: Product }>({
  pool: async ({}, use) => {
    const pool = await startProduct();
    await use(pool);
    await pool.dispose();
  },
  product: async ({ pool }, use) => use(pool),
});

test('an admin withholds what nobody can have earned, and the day is closed', async ({
  page,
  browser,
  pool,
  watch,
}) => {
  test.setTimeout(240_000);
  // Restarting the pool cuts what its pages ask; the first decision is refused until the password is given.
  watch.expectErrors(/ERR_|Failed to load resource|status of (403|5\d\d)/);
  const [boss, farm] = [newUser('boss'), newUser('farm')];
  await signUp(page, boss, '/ready');
  const other = await (await browser.newContext({ baseURL: pool.url })).newPage();
  await signUp(other, farm, '/ready');
  await other.context().close();
  const day = dayOf(Date.now() - 2 * DAY_MS);

  await test.step('a day with a share of 5e22 H/s ends while the pool is down', async () => {
    await page.goto('about:blank');
    await pool.kill();
    const records = await Records.open(pool);
    await records.rows("update app_user set role = 'admin' where user_name = $1", [boss.userName]);
    await records.rows("update identity_session set signed_in_at = now() - interval '1 hour'");
    for (const [name, hashrate] of [
      [boss.userName, 4e13],
      [farm.userName, 5e22],
    ] as const)
      await records.rows(
        `insert into account_1h (sub_account_id, algorithm, at, accepted, shares)
         select id, 'SHA256_ASICBOOST', $2::timestamptz, $3, 1 from sub_account where name = $1`,
        [name, `${day}T12:00:00Z`, workOf(hashrate)],
      );
    await records.rows(
      `insert into upstream_day (day, algorithm, upstream, accepted, credited, accepted_shares, credited_shares)
       values ($1, 'SHA256_ASICBOOST', 'pool.example:3333 wallet.pool', $2, $3, 2, 2)`,
      [day, workOf(4e13), workOf(5e22)],
    );
    await records.rows(
      `insert into day_price (day, algorithm, price_btc, btc_price_usd, source, known_at)
       values ($1, 'SHA256_ASICBOOST', 0.00049, 100000, 'manual', now())`,
      [day],
    );
    await records.close();
    await pool.start();
  });

  await test.step('it waits, and the admin is told', async () => {
    await page.goto('/admin/overview');
    await page.getByRole('link', { name: /^A day waiting for a decision/ }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Closing' })).toBeVisible();
    await expect(page.getByText(/is not closed: it waits for your decision/)).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: farm.userName })).toContainText(
      'More than any sub-account can have earned.',
    );
    await expect(page.getByRole('table')).toContainText(/pool\.example:3333 wallet\.pool.*above 2 %/);
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await expect(page.getByText(`${day} is not closed`, { exact: false })).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('the decision asks for a reason and for the password', async () => {
    await page.getByRole('button', { name: 'Decide…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Close / });
    const withheld = dialog.getByRole('checkbox', { name: new RegExp(`Withhold the work of .*${farm.userName}`) });
    await expect(withheld).toBeChecked();
    await expect(withheld).toBeDisabled();
    const close = dialog.getByRole('button', { name: 'Close the day' });
    await expect(close).toBeDisabled();
    await dialog.getByRole('textbox', { name: /Reason/ }).fill('no machine has that');
    await close.click();
    const password = page.getByRole('dialog', { name: 'Confirm it is you' });
    await password.getByLabel('Password').fill(boss.password);
    await password.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText(/The day is closed; payments created/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Decide…' })).toHaveCount(0);
  });

  await test.step('the honest account is paid, the other one is in the corrections', async () => {
    await page.getByRole('link', { name: 'Corrections' }).click();
    await expect(page.getByRole('table', { name: 'Corrections' })).toContainText(
      new RegExp(`${farm.userName}.*no machine has that.*${boss.userName}`),
    );
    const history = await page.request.get(`/api/paymentsHistory/?kind=earnings&accountName=${boss.userName}`);
    expect(await history.json()).toMatchObject({ rows: [{ day, grossSat: 1960 }] });
  });
});
