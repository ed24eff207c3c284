import { startProduct, type Product } from '../fixtures/product';
import { startUpstream } from '../fixtures/upstream';
import { expect, newUser, signUp, test as base } from '../fixtures/test';
import { Miner } from '../miner/miner';
import { HASHES_PER_DIFFICULTY } from '../miner/work';

/** A separate pool with an upstream of its own: this journey ends it with kill -9. */
const test = base.extend<{ product: Product }>({
  product: async ({}, use) => {
    const upstream = await startUpstream(1e-6);
    const product = await startProduct({ UPSTREAM_SHA256: upstream.url }, { embedded: true });
    await use(product);
    await product.dispose();
    upstream.close();
  },
});

test('the shown hashrate is that of the miner; after kill -9 nothing acknowledged is lost or counted twice', async ({
  page,
  product,
  watch,
}) => {
  test.setTimeout(240_000);
  // The session's token may run out while there is no server to renew it: the stream is asked for again.
  watch.expectErrors(
    /status of 401 .*\/api\/events|ERR_(CONNECTION_RE(FUSED|SET)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED)|Failed to fetch|status of 50\d|network error/i,
  );
  const user = newUser('survivor');
  await signUp(page, user);
  await expect(page.getByRole('heading', { level: 1, name: 'Connect your first worker' })).toBeVisible();
  const start = (rig: string) =>
    new Miner({
      host: '127.0.0.1',
      port: product.stratum.sha256,
      user: `${user.userName}.${rig}`,
      algorithm: 'sha256',
      rate: 10,
    }).start();
  const acceptedBy = (miner: Miner, count: number) =>
    expect.poll(() => miner.accepted, { message: 'accepted shares', timeout: 90_000 }).toBeGreaterThanOrEqual(count);
  const live = () =>
    page.evaluate(async () => {
      const answer = await fetch('/api/getLiveHashrates/?algorithm=SHA256_ASICBOOST');
      const failed = { h24: -1, shares24h: -1, minedSince: 0, at: 0 };
      return answer.ok ? ((await answer.json()) as typeof failed) : failed;
    });
  const counted = async () => (await live()).shares24h;

  const measured = start('rig-01');
  try {
    await acceptedBy(measured, 40);
    await measured.finish();
  } finally {
    measured.stop();
  }
  await expect.poll(counted, { timeout: 30_000 }).toBe(measured.accepted);
  // The hashes behind the counted work, compared with the hashes done: four standard deviations.
  const { h24, minedSince, at } = await live();
  const hashesCounted = measured.work * HASHES_PER_DIFFICULTY.sha256;
  expect(Math.abs(hashesCounted / measured.hashes - 1)).toBeLessThan(4 / Math.sqrt(measured.accepted));
  // The mean is of the time since the first share, of a minute at least; both times are in whole seconds.
  const seconds = Math.max(60, at - minedSince);
  expect(Math.abs((h24 * seconds) / hashesCounted - 1)).toBeLessThan(2 / seconds);

  const killed = start('rig-02');
  try {
    await acceptedBy(killed, 10);
    const control = page.getByRole('button', { name: /^Updates:/ });
    await expect(control).toHaveAccessibleName('Updates: Live');
    const calls = () => watch.requests.filter((url) => /\/api\/(?!events)/.test(url)).length;
    await product.kill();
    // The stream alone tells it, before any call has failed.
    const before = calls();
    await expect(control).toHaveAccessibleName(/^Updates: Data is /);
    expect(calls()).toBe(before);
    await product.start();
    await acceptedBy(killed, killed.accepted + 10);
  } finally {
    killed.stop();
  }
  // The page reconnects by itself, still signed in.
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible({ timeout: 60_000 });
  // A kill between booking and answering may count shares whose answer the miner never got, but no more than those.
  const acknowledged = () => measured.accepted + killed.accepted;
  await expect.poll(counted, { timeout: 30_000 }).toBeGreaterThanOrEqual(acknowledged());
  expect(await counted()).toBeLessThanOrEqual(acknowledged() + killed.unanswered);
});
