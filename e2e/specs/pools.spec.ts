import { startUpstream } from '../fixtures/upstream';
import { expect, newUser, signUp, test } from '../fixtures/test';

test('pools are added, tested, reordered by keyboard and pointer; a refused order is undone', async ({
  page,
  watch,
}) => {
  test.setTimeout(80_000);
  const upstream = await startUpstream();
  // A user without miners: no other journey sees its lists.
  await signUp(page, newUser('pools'), '/workers/pools?algorithm=SCRYPT');
  const list = page.getByRole('list', { name: /^Upstream pools for SCRYPT/ });
  const names = () => list.locator('li bdi:first-child').allInnerTexts();
  const placed = () => list.getByRole('listitem').evaluateAll((rows) => rows.map((row) => row.textContent));
  for (const name of ['First', 'Second', 'Third']) {
    await page.getByRole('button', { name: 'Add pool' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Address').fill(upstream.url);
    await dialog.getByLabel('User or wallet').fill(`wallet.${name}`);
    if (name === 'First') {
      await dialog.getByRole('button', { name: 'Test connection' }).click();
      await expect(dialog.getByText('Got work: the pool can be used')).toBeVisible({ timeout: 30_000 });
    }
    await dialog.getByRole('button', { name: 'Add pool' }).click();
    await expect(dialog).toBeHidden();
  }
  await expect.poll(names).toEqual(expect.arrayContaining(['First', 'Second', 'Third']));
  const order = async () => (await placed()).map((text) => /First|Second|Third/.exec(text ?? '')?.[0]);
  await expect.poll(order).toEqual(['First', 'Second', 'Third']);

  const move = async (name: string, place: number) => {
    await page.getByRole('button', { name: new RegExp(`^Move ${name}`) }).focus();
    await page.keyboard.press('Space');
    await expect(page.getByText(new RegExp(`^${name} (lifted|at place)`))).toBeAttached();
    await page.keyboard.press('ArrowUp');
    await expect(page.getByText(`${name} at place ${place} of 3.`)).toBeAttached();
    await page.keyboard.press('Space');
  };
  const saved = page.waitForResponse((answer) => answer.url().endsWith('/reorder') && answer.status() === 200);
  await move('Second', 1);
  await saved;
  await expect.poll(order).toEqual(['Second', 'First', 'Third']);
  await page.reload();
  await expect.poll(order).toEqual(['Second', 'First', 'Third']);

  // The pointer moves it back to where it was.
  const handle = (name: string) => page.getByRole('button', { name: new RegExp(`^Move ${name}`) });
  const to = await handle('Second').boundingBox();
  const dropped = page.waitForResponse((answer) => answer.url().endsWith('/reorder') && answer.status() === 200);
  await handle('First').hover();
  await page.mouse.down();
  await page.mouse.move((to?.x ?? 0) + 8, (to?.y ?? 0) + 8, { steps: 5 });
  await expect(list.getByRole('listitem').filter({ hasText: 'First' })).toHaveAttribute('data-dragging', 'true');
  await page.mouse.up();
  await dropped;
  await expect.poll(order).toEqual(['First', 'Second', 'Third']);

  // Another tab takes a pool out while this one still shows it.
  watch.expectErrors(/status of 409/);
  await page.route('**/api/subAccountPoolConfigs/reorder', async (route) => {
    const body = route.request().postDataJSON() as { reorderedConfigs: object[] };
    await route.continue({ postData: JSON.stringify({ reorderedConfigs: body.reorderedConfigs.slice(1) }) });
  });
  await move('Third', 2);
  await expect(page.getByRole('alert')).toContainText('changed elsewhere');
  await expect.poll(order).toEqual(['First', 'Second', 'Third']);

  // Each other first pool was told; the last change is taken back from there.
  await page.getByRole('button', { name: /^Notifications/ }).click();
  const inbox = page.getByRole('dialog', { name: 'Notifications' });
  await expect(inbox.getByText(/The upstream pool of .* was changed: now First/).first()).toBeVisible();
  await inbox.getByRole('button', { name: 'It wasn’t me: undo' }).first().click();
  await page.waitForURL('**/account/security');
  await page.goto('/workers/pools?algorithm=SCRYPT');
  await expect.poll(order).toEqual(['Second', 'First', 'Third']);
  upstream.close();
});

test('with the hold a change of the list waits, is shown with its end, and is cancelled', async ({ page }) => {
  test.setTimeout(80_000);
  const upstream = await startUpstream();
  await signUp(page, newUser('holder'), '/account/security');
  const panel = page.getByRole('region', { name: 'Hold on upstream pool changes' });
  await panel.getByRole('button', { name: 'Turn on' }).click();
  await expect(panel.getByRole('button', { name: 'Turn off' })).toBeVisible();

  await page.goto('/workers/pools?algorithm=SCRYPT');
  await page.getByRole('button', { name: 'Add pool' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Elsewhere');
  await dialog.getByLabel('Address').fill(upstream.url);
  await dialog.getByLabel('User or wallet').fill('wallet.rig');
  await dialog.getByRole('button', { name: 'Add pool' }).click();
  await expect(dialog).toBeHidden();
  const notice = page.getByRole('status').filter({ hasText: 'Your changes take effect on' });
  await expect(notice).toContainText(/\((3.d|2.d.23.h) left\)/);
  await expect(notice).toContainText('Until then SCRYPT goes to this pool’s own upstream');
  const place = page.getByRole('listitem').filter({ hasText: 'Elsewhere' }).first();
  await expect(place).toContainText('Standby');

  await notice.getByRole('button', { name: 'Cancel changes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel changes' }).click();
  await expect(notice).toBeHidden();
  await expect(page.getByText('No SCRYPT pool of your own')).toBeVisible();
  upstream.close();
});
