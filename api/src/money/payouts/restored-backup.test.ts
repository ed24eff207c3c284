/** An older backup is restored by the shipped commands, after payments were made that it does not have. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../platform/config';
import { addDays } from '../../platform/days';
import { openDatabase, type Database } from '../../platform/db/database';
import { lockServer } from '../../platform/db/server-lock';
import { startCluster, type Cluster } from '../../platform/db/testing/postgres';
import { moneyTransaction } from '../../platform/db/transaction';
import { restore } from '../../ops/restore';
import { adminText, DAY, fill, script, server } from '../../ops/testing/product';
import { openPayments } from './open-payments';
import { movePayment } from './payment-changes';
import { marksOf, PaymentLog } from './payment-log';

const ADDRESS = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const TXID = 'ab'.repeat(32);
let cluster: Cluster;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'restored-'));
  cluster = await startCluster();
});
afterAll(async () => {
  await cluster.remove();
  rmSync(folder, { recursive: true, force: true });
});

type State = { id: number; key: string; status: string; note: string | null; amount_sat: number };
const paymentsIn = async ({ pool }: Database): Promise<State[]> =>
  (await pool.query<State>('select id, key, status, note, amount_sat from payment order by id')).rows;

it('what was paid since is put back as unknown, under its number and key; no number comes again', async () => {
  const data = join(folder, 'data');
  mkdirSync(data);
  const env = { DATA_DIR: data, DATABASE_URL: cluster.url };
  const now = Date.now() / 1000;
  const first = await openDatabase({ url: cluster.url });
  await fill(first);
  await first.pool.query('update sub_account set btc_address = $1, threshold_sat = 1', [ADDRESS]);
  const backup = join(folder, 'old.backup');
  expect(await script('backup', [backup], env)).toMatchObject({ code: 0 });

  // Two payments: one is opened and cancelled, the next one is paid.
  const log = PaymentLog.open(data);
  const move = async (id: number, change: Parameters<typeof movePayment>[2]): Promise<void> => {
    await moneyTransaction(first.pool, (client) => movePayment(client, id, change, now));
    log.record(await marksOf(first.pool, [id]));
  };
  const [cancelled] = await openPayments(first.pool, now);
  await move(cancelled?.id ?? 0, { status: 'cancelled', version: 1 });
  const [paid] = await openPayments(first.pool, now);
  const id = paid?.id ?? 0;
  await move(id, { status: 'queued', version: 1 });
  await move(id, { status: 'unknown', version: 2 });
  await move(id, { status: 'sent', version: 3, txid: TXID });
  const before = (await paymentsIn(first)).find((payment) => payment.id === id);
  await first.close();

  await expect(restore(readConfig({ DATA_DIR: join(folder, 'empty') }), backup)).rejects.toThrow('DATABASE_URL');
  await expect(restore(readConfig({ ...env, DATA_DIR: join(folder, 'empty') }), backup)).rejects.toThrow(
    'The database is not empty',
  );
  const busy = await lockServer({ url: cluster.url });
  await expect(restore(readConfig(env), backup, { force: true })).rejects.toThrow(
    'The database is in use by another process of a pool (pid ',
  );
  await busy.release();
  const said = await script('restore', [backup, '--force'], env);
  expect(said).toMatchObject({ code: 0, err: '', out: expect.stringContaining('before_restore_') });
  expect(said.out).toContain(/[0-9a-f]{64}/.exec(await adminText(env, 'ledger-hash'))?.[0]);
  const restored = await openDatabase({ url: cluster.url });
  expect(await paymentsIn(restored)).toEqual([]);
  // Append-only tables are so in the copy too.
  await expect(restored.pool.query('delete from ledger')).rejects.toThrow('append-only');
  // Somebody opens a payment before the server has started: the same work is to be paid again, under an old number.
  await openPayments(restored.pool, now);
  await restored.close();
  const running = await server(env);
  await running.stop();

  const after = await openDatabase({ url: cluster.url });
  const payments = await paymentsIn(after);
  expect(payments.filter(({ status }) => status !== 'cancelled')).toEqual([
    { id, key: before?.key, status: 'unknown', note: expect.stringContaining(TXID), amount_sat: before?.amount_sat },
  ]);
  expect(await openPayments(after.pool, now)).toEqual([]);
  // A person has looked at the chain; the next payment has a number that none has had.
  await moneyTransaction(after.pool, async (client) => {
    const [mark] = await marksOf(client, [id]);
    await movePayment(client, id, { status: 'sent', version: mark?.version ?? 0, txid: TXID }, now);
    await client.query(
      `insert into ledger (party, sub_account_id, kind, amount_sat, ref)
       values ('account', 1, 'bonus', 50000, $1), ('pool', null, 'bonus', -50000, $1)`,
      [addDays(DAY, 1)],
    );
  });
  const [next] = await openPayments(after.pool, now);
  expect(next?.id).toBeGreaterThan(id);
  await after.close();
});
