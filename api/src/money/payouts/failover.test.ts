/**
 * A real PostgreSQL with a standby that takes over (security.md, Money: failover). The servers' own default of
 * `synchronous_commit` is off: what money needs, its transactions ask for.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import pino from 'pino';
import { openDatabase, type Database } from '../../platform/db/database';
import { startCluster, type Cluster } from '../../platform/db/testing/postgres';
import { moneyTransaction, transaction } from '../../platform/db/transaction';
import { once } from '../../http/auth/idempotency';
import type { Principal } from '../../http/auth/principal';
import { problemOf } from '../../http/server/errors';
import { closeDays } from '../accounting/earnings';
import { startOfDay } from '../../platform/days';
import { countWork } from '../../mining/shares/testing/count-work';
import { insertUsers } from '../jobs/testing/miners';
import { Wire } from '../../nodes/wire';
import { eventually } from '../../testing/eventually';
import { openPayments } from './open-payments';
import { learnMarks, marksOf, PaymentLog, shareLog } from './payment-log';
import { restoreMarks } from './restore-marks';
import { movePayment } from './payment-changes';

const DAY = '2026-11-10';
const NOW = startOfDay('2026-11-20') + 7200;

let primary: Cluster;
let standby: Cluster;
let database: Database;
let folder: string;
let reports: string[];
const report = { error: (_: object, message: string) => reports.push(message) };
beforeAll(async () => {
  reports = [];
  folder = mkdtempSync(join(tmpdir(), 'failover-'));
  primary = await startCluster();
  database = await openDatabase({ url: primary.url });
  standby = await primary.standby();
});
afterAll(async () => {
  await database.close();
  await standby.remove();
  await primary.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** The servers' configuration: money waits for any standby. */
async function demandStandby(): Promise<void> {
  await database.pool.query("alter system set synchronous_standby_names = '*'");
  await database.pool.query('select pg_reload_conf()');
  await eventually(
    async () => (await database.pool.query("select from pg_stat_replication where sync_state = 'sync'")).rowCount === 1,
    'a synchronous standby',
    30_000,
  );
}

const standbyHasAll = () =>
  eventually(
    async () =>
      (await database.pool.query('select from pg_stat_replication where replay_lsn >= pg_current_wal_insert_lsn()'))
        .rowCount === 1,
    'the standby to have the queued payment',
    30_000,
  );

async function queuedPayment(): Promise<number> {
  await insertUsers(database);
  await countWork(database.pool, [{ at: startOfDay(DAY), accepted: 1e12 }]);
  await closeDays(database.pool, { poolFeePercent: 1.5 }, NOW, DAY);
  const [opened] = await openPayments(database.pool, NOW);
  await moneyTransaction(database.pool, (client) =>
    movePayment(client, opened?.id ?? 0, { status: 'queued', version: 1 }, NOW),
  );
  return opened?.id ?? 0;
}

const request = (key: string): FastifyRequest =>
  ({
    headers: { 'idempotency-key': key },
    method: 'PUT',
    url: '/api/payments/',
    body: {},
  }) as unknown as FastifyRequest;
const admin = { user: { id: 1 } } as Principal;
const handOver = (id: number, { pool } = database) =>
  once(pool, admin, request(`hand-over-${id}`), NOW, (client) =>
    movePayment(client, id, { status: 'unknown', version: 2 }, NOW),
  );

it('without its standby a hand-over is refused within seconds, again when repeated; shares and pages go on', async () => {
  const id = await queuedPayment();
  // A commit waits as long as a statement may take.
  const impatient = await openDatabase({ url: primary.url, statementMs: 1000 });
  await demandStandby();
  await standby.halt();
  const refused = async (): Promise<unknown> =>
    handOver(id, impatient).then(
      () => 'acknowledged',
      (error: Error) => problemOf(error as Parameters<typeof problemOf>[0]),
    );
  expect(await refused()).toMatchObject({ status: 503, code: 'database_unavailable' });
  expect(await refused()).toMatchObject({ status: 503 });
  await impatient.close();
  await transaction(database.pool, (client) => client.query("insert into audit (action) values ('a page')"));
  await standby.start();
  expect((await handOver(id)).answer).toMatchObject({ status: 'unknown' });
  await database.pool.query('alter system reset synchronous_standby_names');
  await database.pool.query('select pg_reload_conf()');
});

it('a standby without the hand-over takes over, and the folder of who handed over is gone: others know it', async () => {
  const silent = pino({ level: 'silent' });
  const warnings: string[] = [];
  const wires: Wire[] = [];
  const node = async (name: string, others: string[]): Promise<PaymentLog> => {
    const data = join(folder, name);
    mkdirSync(data);
    const log = PaymentLog.open(data);
    const wire = new Wire({ url: primary.url, pool: database.pool, id: name, log: silent });
    shareLog(log, { wire, others: () => others, warn: (_, message) => warnings.push(message) });
    await wire.start();
    wires.push(wire);
    return log;
  };
  const id = await queuedPayment();
  const [a, b] = [await node('a', ['b', 'c']), await node('b', ['a'])];
  await standbyHasAll();
  await standby.halt();
  await handOver(id);
  const marks = await marksOf(database.pool, [id]);
  // The route does so before it answers; "c" has died and is not waited for.
  a.record(marks);
  await a.tell(marks);
  expect(warnings).toHaveLength(1);
  // One that starts later learns it from the database.
  const late = PaymentLog.open(null);
  await learnMarks(database.pool, late);
  expect(late.marks()).toEqual(marks);
  // What is late does not take back what is known.
  b.hear(marks.map((mark) => ({ ...mark, status: 'queued', version: mark.version - 1 })));
  await Promise.all(wires.map((wire) => wire.stop()));
  rmSync(join(folder, 'a'), { recursive: true });
  await primary.crash();
  await standby.start();
  await standby.promote();

  const after = await openDatabase({ url: standby.url });
  const state = async () => (await after.pool.query<{ status: string }>('select status from payment')).rows;
  expect(await state()).toEqual([{ status: 'queued' }]);
  await restoreMarks(after.pool, PaymentLog.open(join(folder, 'b')), report);
  expect(await state()).toEqual([{ status: 'unknown' }]);
  expect(reports).toHaveLength(1);
  expect(await openPayments(after.pool, NOW + 86_400)).toEqual([]);
  await after.close();
});
