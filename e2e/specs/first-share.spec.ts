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

    // The page itself says where to connect.
    const address = new RegExp(`stratum\\+tcp://[^:]+:${product.stratum[port]}`);
    await expect(page.getByText(address).first()).toBeVisible();

    const reloaded = page.evaluate(() => new Promise((resolve) => addEventListener('pagehide', resolve)));
    let reloads = 0;
    void reloaded.then(
      () => {
        reloads += 1;
      },
      () => undefined,
    );
    const miner = new Miner({
      host: '127.0.0.1',
      port: product.stratum[port],
      user: `${user.userName}.rig-01`,
      algorithm,
      rate: 2,
    }).start();
    try {
      // The page comes alive by itself.
      await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible({ timeout: 60_000 });
      await expect(page.locator('[data-ready~=figures]')).toBeVisible();
      await expect(page.getByTestId('hashrate-5m')).not.toHaveText(/^0(\.0+)? /);
      await page.getByRole('link', { name: 'Workers' }).first().click();
      await expect(page.getByText('rig-01').first()).toBeVisible();
      await expect(page.getByText('Online').first()).toBeVisible();
      expect(miner.accepted).toBeGreaterThan(0);
      expect(miner.rejected).toBe(0);
      expect(reloads).toBe(0);
    } finally {
      miner.stop();
    }
  });
}
