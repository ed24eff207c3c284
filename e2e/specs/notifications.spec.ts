import { asUser, expect, test } from '../fixtures/test';

const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const rowsOf = (worker: string) => {
  const values = { account: 'demo', worker };
  const path = `/workers/?${new URLSearchParams(values)}`;
  return [
    { id: 4, kind: 'worker_offline', values, path, createdAt: at(2), readAt: null },
    // Servers before @pool/shared 1.2.0 answer without the page.
    { id: 3, kind: 'payment_sent', values: { account: 'demo', amount: '0.05' }, createdAt: at(30), readAt: null },
    { id: 2, kind: 'worker_low', values, path, createdAt: at(60), readAt: null },
    // Notifications of earlier days, more than the list shows at once.
    ...Array.from({ length: 8 }, (_, index) => ({
      ...{ id: 1 - index, kind: 'payment_sent', values: { account: 'demo', amount: '0.01' } },
      ...{ createdAt: at((index + 3) * 1440), readAt: at(0) },
    })),
  ];
};

test("the inbox fits wide and narrow screens, groups days and a worker's alerts, and leads to what they are about", async ({
  page,
}) => {
  const read: unknown[] = [];
  await page.route('**/api/notifications/read', (route) => {
    read.push(route.request().postDataJSON());
    return route.fulfill({ json: { unread: 1 } });
  });
  await asUser(page, 'demo', '/workers/?sort=name');
  const worker = (await page.locator('a[data-worker]').first().textContent()) ?? '';
  await page.route('**/api/notifications', (route) =>
    route.fulfill({ json: { notifications: rowsOf(worker), unread: 3 } }),
  );
  await page.goto('/dashboard/');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  const inbox = page.getByRole('dialog', { name: 'Notifications' });
  await expect(inbox.getByRole('listitem')).toHaveCount(10);
  // The days before yesterday by their dates.
  await expect(inbox.getByRole('heading', { level: 3, name: /\d{4}$/ })).toHaveCount(8);
  const list = inbox.getByRole('region').first().locator('..');
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(() => list.evaluate(({ clientHeight }) => clientHeight)).toBe(349);
    const fits = async () => {
      const { x = -1, width: own = 0 } = (await inbox.boundingBox()) ?? {};
      return x >= 0 && x + own <= width;
    };
    await expect.poll(fits, `at ${width} px`).toBe(true);
  }

  await expect(inbox.getByRole('button', { name: /0\.05 BTC sent for demo/ })).toBeVisible();
  const alert = inbox.getByRole('link', { name: `Worker ${worker} of demo is offline` });
  await expect(alert).toContainText('2 min ago · 1 earlier');
  await alert.click();
  await expect(inbox).toBeHidden();
  await expect(page.getByRole('complementary', { name: `Worker ${worker}` })).toBeVisible();
  expect(read).toEqual([{ ids: [4, 2] }]);
});
