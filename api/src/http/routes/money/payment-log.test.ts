/** What the API answers about payments is in DATA_DIR first, and is believed when the database has lost it. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOfDay } from '../../../platform/days';
import { marksOf, PAYMENT_LOG, PaymentLog } from '../../../money/payouts/payment-log';
import { testApp, type Answer, type Person, type TestApp } from '../../testing/test-app';

const NOW = startOfDay('2026-11-19') + 7200;
let test: TestApp;
let admin: Person;
let folder: string;
let log: PaymentLog;
let id: number;
let key: string;

beforeAll(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'payment-log-')), 'data');
  log = PaymentLog.open(folder);
  test = await testApp({ now: () => NOW, paymentLog: log });
  admin = await test.person('boss', { role: 'admin' });
  await test.person('miner');
  await test.database.pool.query(
    "update sub_account set btc_address = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', threshold_sat = 10000 where name = 'miner'",
  );
  await test.work([{ account: 'miner', at: startOfDay('2026-11-18'), accepted: (1e16 * 3600) / 2 ** 32, span: 3600 }]);
  expect((await admin.post('/api/calculatePayments/', {})).status).toBe(200);
  ({ id, key } = ((await admin.call('/api/getPayments/')).body as { rows: { id: number; key: string }[] }).rows[0] ?? {
    id: 0,
    key: '',
  });
});
afterAll(async () => {
  await test.close();
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

const move = (body: Record<string, unknown>, idempotencyKey: string): Promise<Answer> =>
  admin.call(`/api/payments/?id=${id}`, { method: 'PUT', body, headers: { 'idempotency-key': idempotencyKey } });

it('a change that cannot be written to the log is not acknowledged; repeated, it is written', async () => {
  expect(existsSync(folder)).toBe(false);
  expect((await move({ status: 'queued', version: 1 }, 'approve')).status).toBe(503);
  mkdirSync(folder);
  expect((await move({ status: 'queued', version: 1 }, 'approve')).status).toBe(200);
  const lines = readFileSync(join(folder, PAYMENT_LOG), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ id, key, status: 'queued', version: 2, account: 'miner' }),
  ]);
});

it('a payment that the log knows as handed over is not handed over again: it becomes unknown', async () => {
  const [mark] = await marksOf(test.database.pool, [id]);
  if (!mark) throw new Error('no payment');
  // A failover that lost the hand-over leaves it so.
  log.record([{ ...mark, status: 'unknown', version: mark.version + 1 }]);
  expect(await move({ status: 'unknown', version: mark.version }, 'hand-over')).toMatchObject({
    status: 409,
    code: 'payment_state',
  });
  const { rows } = (await admin.call('/api/getPayments/')).body as { rows: unknown[] };
  expect(rows).toEqual([
    expect.objectContaining({ id, key, status: 'unknown', note: expect.stringContaining('look at the chain') }),
  ]);
});

it('what was sent is told once, although the request that sent it was answered only when repeated', async () => {
  const { rows } = (await admin.call('/api/getPayments/')).body as { rows: { version: number }[] };
  const sent = { status: 'sent', version: rows[0]?.version, txid: 'a'.repeat(64) };
  rmSync(folder, { recursive: true });
  expect((await move(sent, 'send')).status).toBe(503);
  mkdirSync(folder);
  for (let time = 0; time < 2; time += 1) expect((await move(sent, 'send')).status).toBe(200);
  const told = await test.database.pool.query("select from notification where kind = 'payment_sent'");
  expect(told.rowCount).toBe(1);
});

it('the key of a payment cannot be changed', async () => {
  await expect(test.database.pool.query('update payment set key = gen_random_uuid()')).rejects.toThrow(
    'the key of a payment does not change',
  );
});
