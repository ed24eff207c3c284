/** A pool whose server did not run for a while: nobody is blamed for it, and the pages say when it was. */
import { startProduct, type Product } from '../../fixtures/product';
import { Records } from '../../fixtures/records';
import { expect, newUser, signUp, test as base } from '../../fixtures/test';

const test = base.extend<{ product: Product }>({
  product: async ({}, use) => {
    const product = await startProduct();
    await use(product);
    await product.dispose();
  },
});

/** Twelve workers that mined steadily for 30 h until `last`, and the server's last sign of life at that time. */
async function minedUntil(product: Product, account: string, last: number) {
  const db = await Records.open(product);
  const start = Math.floor((last - 30 * 3600) / 3600) * 3600;
  await db.rows(
    `insert into worker (sub_account_id, algorithm, name, created_at)
     select s.id, 'SHA256_ASICBOOST', 'rig-' || n, to_timestamp($2)
     from sub_account s, generate_series(1, 12) n
     where s.name = $1`,
    [account, start],
  );
  await db.rows(
    `insert into worker_live
       (sub_account_id, worker_id, last_share_at, mining_since, connected_at, disconnected_at)
     select sub_account_id, id, to_timestamp($1), created_at, created_at, to_timestamp($1) from worker`,
    [last],
  );
  for (const [step, seconds] of [
    ['1m', 60],
    ['10m', 600],
    ['1h', 3600],
  ] as const) {
    // The last step has only what was mined of it.
    const work = `least(${seconds}, $2 - t) / 60.0`;
    const steps = `generate_series($1::int, $2::int - 1, ${seconds}) t`;
    const times = [step === '1m' ? Math.floor(last / 60) * 60 - 7200 : start, last];
    await db.rows(
      `insert into share_${step} (sub_account_id, worker_id, at, accepted, shares)
       select sub_account_id, id, to_timestamp(t), 1000 * ${work}, 10 * ${work} from worker, ${steps}`,
      times,
    );
    await db.rows(
      `insert into account_${step} (sub_account_id, algorithm, at, accepted, shares)
       select sub_account_id, algorithm, to_timestamp(t), sum(1000 * ${work}), sum(10 * ${work})
       from worker, ${steps} group by 1, 2, t`,
      times,
    );
  }
  await db.rows(
    `insert into setting (name, value) values ('alerts.state', $1)
     on conflict (name) do update set value = excluded.value`,
    [JSON.stringify({ ranAt: last, up: {}, outages: {} })],
  );
  await db.close();
}

test('after a quarter of an hour without the server nobody is offline or low, and the pages say so', async ({
  page,
  product,
  watch,
}) => {
  watch.expectErrors(/ERR_(CONNECTION_RE(FUSED|SET)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED)|Failed to fetch|network error/i);
  const user = newUser('absence');
  await signUp(page, user, '/ready');
  await product.kill();
  await minedUntil(product, user.userName, Math.floor(Date.now() / 1000) - 900);
  await product.start();

  await page.goto(`${product.url}/dashboard/`);
  const header = page.locator('main header').first();
  await expect(header).toContainText(/The pool was down .?\d\d:\d\d–\d\d:\d\d.? UTC/);
  await expect(header).toContainText('All running');
  await expect(header).toContainText('at the 24 h average');
  await page.goto(`${product.url}/workers/`);
  await expect(page.getByRole('link', { name: 'rig-12' })).toBeVisible();
  await expect(header).toContainText('The pool was down');
  const counts = await page.evaluate(async () => (await fetch('/api/getWorkerCount/')).json());
  expect(counts).toEqual({ online: 12, low: 0, offline: 0, inactive: 0, total: 12 });
  await page.getByRole('link', { name: 'rig-12' }).click();
  await expect(page.getByText(/Running at (99|100)\.\d\s% of its 24\sh mean\./)).toBeVisible();

  await test.step('what is selected becomes a group whose name is typed at once', async () => {
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('checkbox', { name: 'Select rig-12' }).check();
    await page.getByRole('button', { name: 'Move to group' }).click();
    await page.getByRole('menuitem', { name: 'New group…' }).click();
    await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
    await page.keyboard.type('Hall A');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('row').filter({ hasText: 'rig-12' })).toContainText('Hall A');
  });
});
