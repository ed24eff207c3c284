/** A pool without a mail server keeps what it would mail, and shows it to admins. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeNotes } from '../notifications';
import { testApp, type TestApp } from '../../http/testing/test-app';
import { createLog } from '../../platform/log';
import { Sender } from '../outbox/sender';
import { keptDelivery, keptMails, setKeeping } from './kept';
import { queueMail } from './mail';

let test: TestApp;
const folder = mkdtempSync(join(tmpdir(), 'kept-'));
beforeAll(async () => {
  test = await testApp({ env: { DATA_DIR: folder } });
});
afterAll(async () => {
  await test.close();
  rmSync(folder, { recursive: true });
});

it('warnings are files that admins are shown; codes are not kept, and old or many files go', async () => {
  const admin = await test.person('boss', { role: 'admin' });
  const anna = await test.person('anna');
  const { pool } = test.database;
  await setKeeping(pool, folder, true);
  const change = { account: 'anna', oldAddress: '1old', newAddress: '1new' };
  await writeNotes(pool, [{ userId: anna.userId, kind: 'wallet_changed', values: change }], Date.now() / 1000);
  const code = { kind: 'reset', language: 'en', values: { name: 'anna' }, code: '123456' } as const;
  await queueMail(pool, { ...code, to: 'anna@example.com', dedupe: 'code', lifeS: 600 });
  const delivery = keptDelivery(pool, folder);
  const sender = new Sender({
    pool,
    bus: test.bus,
    log: createLog('silent'),
    delivery,
    now: () => Date.now() / 1000 + 1,
  });
  while (await sender.round());
  await sender.stop();

  const listed = await admin.call('/api/admin/mails');
  expect(listed.body).toEqual([
    expect.objectContaining({
      to: expect.stringContaining('anna') as string,
      subject: 'The payout address of anna was changed',
      text: expect.stringContaining('1new') as string,
    }),
  ]);
  expect((await anna.call('/api/admin/mails')).status).toBe(403);
  expect(listed.text).not.toContain('123456');
  expect(readdirSync(join(folder, 'mail'))).toHaveLength(1);

  const at = (n: number): string => new Date(Date.now() - n * 60_000).toISOString();
  for (let n = 0; n < 210; n += 1)
    writeFileSync(
      join(folder, 'mail', `${1000 + n}.json`),
      JSON.stringify({ at: at(n), to: 'x', subject: 's', text: 't' }),
    );
  await delivery.send({
    id: 5000,
    token: '',
    target: 'y',
    content: JSON.stringify({ subject: 's', text: 't', withLink: true }),
    attempts: 1,
  });
  expect(readdirSync(join(folder, 'mail'))).toHaveLength(200);
  const now = Date.now() / 1000;
  expect(await keptMails(folder, now)).toHaveLength(50);
  writeFileSync(join(folder, 'mail', '6000.json'), '{"at":"2026-');
  await delivery.clean?.(now + 7 * 86_400 - 60 * 60);
  expect(readdirSync(join(folder, 'mail')).length).toBeLessThan(70);
  await setKeeping(pool, folder, false);
  expect(readdirSync(folder)).not.toContain('mail');
});
