import { startUpstream } from '../fixtures/upstream';
import { expect, newUser, signUp, test } from '../fixtures/test';

test('pools are added, tested, reordered by keyboard and pointer, and the last change is taken back from the inbox', async ({
  page,
}) => {
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
      await expect(dialog.getByText('Got work: the pool can be used')).toBeVisible();
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
