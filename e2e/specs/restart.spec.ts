import { startProduct } from '../fixtures/product';
import { DEMO_PASSWORD } from '../fixtures/shared-product';
import { expect, newUser, signUp, test as base } from '../fixtures/test';
import { Miner } from '../miner/miner';
import { HASHES_PER_DIFFICULTY } from '../miner/work';

/** A separate pool with the built-in upstream: these journeys end it with kill -9. */
const test = base.extend({
  product: async ({}, use) => {
    const product = await startProduct({ DEMO: '1', DEMO_PASSWORD });
    await use(product);
    await product.dispose();
  },
});

test('kill -9 under mining: nothing acknowledged is lost or counted twice, and the user stays signed in', async ({
  page,
  product,
  watch,
}) => {
  test.setTimeout(180_000);
  watch.expectErrors(
    /ERR_(CONNECTION_RE(FUSED|SET)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED)|Failed to fetch|status of 50\d|network error/i,
  );
  const user = newUser('survivor');
  await page.goto(product.url);
  await signUp(page, user);
  await expect(page.getByRole('heading', { level: 1, name: 'Connect your first worker' })).toBeVisible();

  const miner = new Miner({
    host: '127.0.0.1',
    port: product.stratum.sha256,
    user: `${user.userName}.rig-01`,
    algorithm: 'sha256',
    rate: 5,
  }).start();
  const acceptedBy = async (count: number) =>
    expect.poll(() => miner.accepted, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
  try {
    await acceptedBy(10);
    await (product as Awaited<ReturnType<typeof startProduct>>).kill();
    await (product as Awaited<ReturnType<typeof startProduct>>).start();
    const before = miner.accepted;
    await acceptedBy(before + 10);
  } finally {
    miner.stop();
  }
  // The page reconnects by itself, still signed in.
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible({ timeout: 60_000 });
  // A kill between booking and answering may count shares whose answer the miner never got, but no more than those.
  const counted = () =>
    page.evaluate(async () => {
      const answer = await fetch('/api/getLiveHashrates/?algorithm=SHA256_ASICBOOST');
      return answer.ok ? ((await answer.json()) as { shares24h: number }).shares24h : -1;
    });
  await expect.poll(counted, { timeout: 30_000 }).toBeGreaterThanOrEqual(miner.accepted);
  expect(await counted()).toBeLessThanOrEqual(miner.accepted + miner.unanswered);
});

test('the shown hashrate is that of the miner, within the statistical error', async ({ page, product }) => {
  test.setTimeout(180_000);
  const user = newUser('measured');
  await page.goto(product.url);
  await signUp(page, user);
  const miner = new Miner({
    host: '127.0.0.1',
    port: product.stratum.sha256,
    user: `${user.userName}.rig-01`,
    algorithm: 'sha256',
    rate: 10,
  }).start();
  try {
    await expect.poll(() => miner.accepted, { timeout: 90_000 }).toBeGreaterThanOrEqual(150);
    await miner.finish();
  } finally {
    miner.stop();
  }
  const live = () =>
    page.evaluate(
      async () =>
        (await (await fetch('/api/getLiveHashrates/?algorithm=SHA256_ASICBOOST')).json()) as {
          h24: number;
          shares24h: number;
        },
    );
  await expect.poll(async () => (await live()).shares24h, { timeout: 30_000 }).toBe(miner.accepted);
  // The hashes behind the counted work, compared with the hashes done: four standard deviations of 150 shares.
  const { h24 } = await live();
  const hashesCounted = miner.work * HASHES_PER_DIFFICULTY.sha256;
  expect(Math.abs(hashesCounted / miner.hashes - 1)).toBeLessThan(4 / Math.sqrt(miner.accepted));
  // The API returns whole hashes a second.
  expect(Math.abs(h24 - hashesCounted / 86_400)).toBeLessThanOrEqual(1);
});
