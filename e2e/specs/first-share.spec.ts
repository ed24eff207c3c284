import { Miner } from '../miner/miner';
import { expect, newUser, signUp, test } from '../fixtures/test';

/** Stratum's code of a share whose job is over. */
const STALE = 21;

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
    // Ticks never fall back.
    const ticks = await page.evaluateHandle(() => {
      const counts: number[] = [];
      const count = () => counts.push(document.querySelectorAll('main li[data-done]').length);
      new MutationObserver(count).observe(document.body, { subtree: true, attributeFilter: ['data-done'] });
      return counts;
    });
    const miner = new Miner({
      host: '127.0.0.1',
      port: product.stratum[port],
      user: `${user.userName}.rig-01`,
      algorithm,
      rate: 2,
    });
    const refusals: unknown[] = [];
    miner.on('verdict', ({ error }) => error && refusals.push(error));
    miner.start();
    try {
      // The page updates by itself.
      await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible({ timeout: 60_000 });
      await expect(page.locator('main [data-ready~=figures]')).toBeVisible();
      const counts = await ticks.jsonValue();
      expect(counts.toSorted((a, b) => a - b)).toEqual(counts);
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
}

test('the steps are ticked as they happen, and the page says what keeps the first share away', async ({
  page,
  product,
}) => {
  const user = newUser('steps');
  await signUp(page, user);
  const step = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await expect(page.getByText(/^No connection yet\./)).toBeVisible();
  await expect(step('Point the machine at the pool')).not.toHaveAttribute('data-done');
  const at = { host: '127.0.0.1', algorithm: 'sha256', hashrate: 0 } as const;
  // Its name has a typing error, and it is told of in words; then it is at the other algorithm's port.
  const mistyped = user.userName.replace('steps', 'stepz');
  const wrong = new Miner({ ...at, port: product.stratum.sha256, user: `${mistyped}.rig-01` }).start();
  await expect(page.getByText(`“${mistyped}” was refused`))
    .toBeVisible()
    .finally(() => wrong.stop());
  const elsewhere = new Miner({ ...at, port: product.stratum.scrypt, user: `${user.userName}.rig-02` }).start();
  await expect(page.getByText(`rig-02 is connected to the SCRYPT port. For SHA256 use port ${product.stratum.sha256}.`))
    .toBeVisible()
    .finally(() => elsewhere.stop());
  // It signs in and never hashes.
  const miner = new Miner({
    host: '127.0.0.1',
    port: product.stratum.sha256,
    user: `${user.userName}.rig-01`,
    algorithm: 'sha256',
    hashrate: 0,
  }).start();
  try {
    await expect(page.getByText('1 machine connected and authorized')).toBeVisible();
    await expect(step('Point the machine at the pool')).toHaveAttribute('data-done');
    await expect(step('Give it a name')).toHaveAttribute('data-done');
    await expect(step('Wait for the first share')).not.toHaveAttribute('data-done');
  } finally {
    miner.stop();
  }
  const small = new Miner({
    ...at,
    port: product.stratum.sha256,
    user: `${user.userName}.rig-03`,
    password: 'd=65536',
    software: 'NerdMinerV2/V1.8.3',
  }).start();
  await expect(page.getByText('sets difficulty 65,536 for rig-03: 47,000,000 times what such a machine finds'))
    .toBeVisible()
    .finally(() => small.stop());
  await expect(page.getByText(/^No connection yet\./)).toBeVisible();
});
