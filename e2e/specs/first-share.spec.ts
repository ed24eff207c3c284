import { Miner } from '../miner/miner';
import { expect, newUser, signUp, test } from '../fixtures/test';

/** Stratum's code of a share whose job is over. */
const STALE = 21;

test('a newcomer points a miner at the pool: the page says what keeps the first share away, ticks the steps, and becomes the dashboard', async ({
  page,
  product,
}) => {
  const user = newUser('first');
  const { sha256, scrypt } = product.stratum;
  await signUp(page, user);
  await expect(page.getByRole('heading', { level: 1, name: 'Connect your first worker' })).toBeVisible();
  const step = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await expect(page.getByText(/^No connection yet\./)).toBeVisible();
  await expect(step('Point the machine at the pool')).not.toHaveAttribute('data-done');
  const at = { host: '127.0.0.1', port: scrypt, algorithm: 'scrypt' } as const;
  // Its name has a typing error.
  const mistyped = user.userName.replace('first', 'frist');
  const wrong = new Miner({ ...at, hashrate: 0, user: `${mistyped}.rig-01` }).start();
  await expect(page.getByText(`“${mistyped}” was refused`))
    .toBeVisible()
    .finally(() => wrong.stop());
  // The page shows SHA256 until another is chosen.
  const elsewhere = new Miner({ ...at, hashrate: 0, user: `${user.userName}.rig-01` }).start();
  await expect(page.getByText(`rig-01 is connected to the SCRYPT port. For SHA256 use port ${sha256}.`)).toBeVisible();
  await page.getByRole('radiogroup', { name: 'Algorithm' }).getByText('SCRYPT').click();
  await expect(page.getByText(new RegExp(`stratum\\+tcp://[^:]+:${scrypt}`)).first()).toBeVisible();
  // It has signed in and never hashes.
  await expect(page.getByText('1 machine connected and authorized'))
    .toBeVisible()
    .finally(() => elsewhere.stop());
  await expect(step('Give it a name')).toHaveAttribute('data-done');
  await expect(step('Wait for the first share')).not.toHaveAttribute('data-done');

  // A reload, or any other new document, would be a navigation of the page.
  const loads: string[] = [];
  page.on('domcontentloaded', () => loads.push(page.url()));
  const miner = new Miner({ ...at, rate: 2, user: `${user.userName}.rig-01` });
  const refusals: unknown[] = [];
  miner.on('verdict', ({ error }) => error && refusals.push(error));
  miner.start();
  try {
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    await expect(page.locator('main [data-ready~=figures]')).toBeVisible();
    await expect(page.getByTestId('hashrate-5m')).not.toHaveText(/^0(\.0+)? /);
    // The first minutes are compared with no day, and the chart has what the figure says.
    await expect(page.getByRole('main')).not.toContainText(/24 h average|No shares in this period|Difficulty 0\b/);
    await page.getByRole('link', { name: 'Workers' }).first().click();
    await expect(page.getByText('rig-01').first()).toBeVisible();
    await expect(page.getByText('Online').first()).toBeVisible();
    expect(miner.accepted).toBeGreaterThan(0);
    // One that is under way when a block is found comes too late.
    expect(refusals.filter((error) => !(Array.isArray(error) && error[0] === STALE))).toEqual([]);
    expect(loads, 'documents loaded meanwhile').toEqual([]);
  } finally {
    miner.stop();
  }
});
