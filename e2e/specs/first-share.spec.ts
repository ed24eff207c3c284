import { Miner } from '../miner/miner';
import { expect, newUser, signUp, test } from '../fixtures/test';

for (const { algorithm, label, port } of [
  { algorithm: 'sha256', label: 'SHA256', port: 'sha256' },
  { algorithm: 'scrypt', label: 'SCRYPT', port: 'scrypt' },
] as const) {
  test(`a newcomer points a ${label} miner at the pool and watches it appear`, async ({ page, product }) => {
    const user = newUser(`first-${algorithm}`);
    await signUp(page, user);
    await expect(page.getByRole('heading', { level: 1, name: 'Connect your first worker' })).toBeVisible();
    if (algorithm === 'scrypt') await page.getByRole('radiogroup', { name: 'Algorithm' }).getByText('SCRYPT').click();

    // The page itself shows where to connect.
    const address = new RegExp(`stratum\\+tcp://[^:]+:${product.stratum[port]}`);
    await expect(page.getByText(address).first()).toBeVisible();

    // A reload, or any other new document, would be a navigation of the page.
    const loads: string[] = [];
    page.on('domcontentloaded', () => loads.push(page.url()));
    const miner = new Miner({
      host: '127.0.0.1',
      port: product.stratum[port],
      user: `${user.userName}.rig-01`,
      algorithm,
      rate: 2,
    }).start();
    try {
      // The page updates by itself.
      await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible({ timeout: 60_000 });
      await expect(page.locator('[data-ready~=figures]')).toBeVisible();
      await expect(page.getByTestId('hashrate-5m')).not.toHaveText(/^0(\.0+)? /);
      await page.getByRole('link', { name: 'Workers' }).first().click();
      await expect(page.getByText('rig-01').first()).toBeVisible();
      await expect(page.getByText('Online').first()).toBeVisible();
      expect(miner.accepted).toBeGreaterThan(0);
      expect(miner.rejected).toBe(0);
      expect(loads, 'documents loaded meanwhile').toEqual([]);
    } finally {
      miner.stop();
    }
  });
}

test('the steps are ticked as they happen: a connected miner without a share is shown', async ({ page, product }) => {
  const user = newUser('steps');
  await signUp(page, user);
  const step = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await expect(page.getByText(/^No connection yet\./)).toBeVisible();
  await expect(step('Point the miner at the pool')).not.toHaveAttribute('data-done');
  // It signs in and never hashes.
  const miner = new Miner({
    host: '127.0.0.1',
    port: product.stratum.sha256,
    user: `${user.userName}.rig-01`,
    algorithm: 'sha256',
    hashrate: 0,
  }).start();
  try {
    await expect(page.getByText('1 miner connected and signed in')).toBeVisible();
    await expect(step('Point the miner at the pool')).toHaveAttribute('data-done');
    await expect(step('Give it a name')).toHaveAttribute('data-done');
    await expect(step('Wait for the first share')).not.toHaveAttribute('data-done');
  } finally {
    miner.stop();
  }
  await expect(page.getByText(/^No connection yet\./)).toBeVisible();
});
