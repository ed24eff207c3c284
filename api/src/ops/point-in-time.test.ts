/**
 * The database as it was a moment before a mistake: pgbackrest with docs/deploy/pgbackrest.conf archives a real
 * PostgreSQL and restores it; journals and payments.jsonl have what came after. HEAVY=1: needs Debian's "pgbackrest".
 */
import { execFileSync } from 'node:child_process';
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { closeDays } from '../money/accounting/earnings';
import { ROOT } from '../root';
import { startOfDay } from '../platform/days';
import { openDatabase, type Database } from '../platform/db/database';
import { startCluster, whoRuns, type Cluster } from '../platform/db/testing/postgres';
import { moneyTransaction } from '../platform/db/transaction';
import { countWork } from '../mining/shares/testing/count-work';
import { insertUsers } from '../money/jobs/testing/miners';
import { wrongBalances } from '../money/ledger/ledger';
import { openPayments } from '../money/payouts/open-payments';
import { movePayment } from '../money/payouts/payment-changes';
import { marksOf, PaymentLog } from '../money/payouts/payment-log';
import { restoreMarks } from '../money/payouts/restore-marks';
import { ShareIngest } from '../mining/shares/ingest';
import { eventually } from '../testing/eventually';
import { ledgerHash } from './ledger-hash';
import { newFolder } from '../testing/folder';

const DAY = '2026-11-10';
const NOW = startOfDay('2026-11-20') + 7200;
const AT = Math.floor(Date.now() / 60_000) * 60_000;
let folder: string;
let cluster: Cluster;
let database: Database;
let ingest: ShareIngest | undefined;

const command = (...args: string[]): string[] => [
  'pgbackrest',
  `--config=${join(folder, 'pgbackrest.conf')}`,
  '--stanza=pool',
  ...args,
];
const pgbackrest = (...args: string[]): void => {
  const [program = '', ...all] = command(...args);
  execFileSync(program, all, { ...whoRuns(), cwd: folder });
};
/** The deployed file, with the folders of this test. */
function configure(): void {
  const postgres = decodeURIComponent(new URL(cluster.url).searchParams.get('host') ?? '');
  const paths: Record<string, string> = {
    'repo1-path': join(folder, 'repo'),
    'pg1-path': join(postgres, 'data'),
  };
  const deployed = readFileSync(join(ROOT, 'docs/deploy/pgbackrest.conf'), 'utf8');
  const own = [`lock-path=${folder}/lock`, 'log-level-file=off'];
  const text = deployed
    .replace(/^([\w-]+-path)=.*$/gm, (_, name: string) => `${name}=${paths[name]}`)
    .replace('[global]', ['[global]', ...own].join('\n'));
  writeFileSync(join(folder, 'pgbackrest.conf'), `${text}pg1-socket-path=${postgres}\npg1-user=postgres\n`);
}
const openIngest = (): Promise<ShareIngest> =>
  ShareIngest.open({
    pool: database.pool,
    folder: join(folder, 'journal'),
    log: pino({ level: 'silent' }),
    flushMs: 3_600_000,
    keepCounted: true,
  });
/** One acknowledged and counted share. */
async function mine(worker: string): Promise<void> {
  void ingest?.share({ subAccountId: 1, algorithm: 'SCRYPT', worker, difficulty: 1, outcome: 'accepted', at: AT });
  expect(await ingest?.uncounted()).toEqual([]);
}
async function counted(): Promise<Record<string, number>> {
  const { rows } = await database.pool.query<{ name: string; n: number }>(
    `select w.name, sum(d.shares)::int as n
     from share_1d d
     join worker w on w.id = d.worker_id
     where w.name like 'rig %'
     group by 1`,
  );
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
}
const one = async <T>(sql: string): Promise<T> => (await database.pool.query<{ it: T }>(sql)).rows[0]?.it as T;

beforeEach(async () => {
  folder = newFolder();
  const { uid, gid } = whoRuns();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  cluster = await startCluster();
  configure();
  database = await openDatabase({ url: cluster.url });
});
afterEach(async () => {
  await ingest?.stop();
  await database.close();
  await cluster.remove();
});

(process.env.HEAVY ? it : it.skip)(
  'restored to the moment before a wrong delete: the same ledger, each share once, no payment twice',
  async () => {
    const archive = command('archive-push', '%p')
      .map((part) => `'${part}'`)
      .join(' ');
    await database.pool.query('alter system set archive_mode = on');
    await database.pool.query(`alter system set archive_command = $$${archive}$$`);
    await database.close();
    await cluster.halt();
    await cluster.start();
    database = await openDatabase({ url: cluster.url });
    pgbackrest('stanza-create');
    pgbackrest('check');
    pgbackrest('backup', '--type=full');

    await insertUsers(database);
    ingest = await openIngest();
    await countWork(database.pool, [{ at: startOfDay(DAY), accepted: 1e12 }]);
    await closeDays(database.pool, { poolFeePercent: 1.5 }, NOW, DAY);
    const id = (await openPayments(database.pool, NOW))[0]?.id ?? 0;
    await moneyTransaction(database.pool, (client) => movePayment(client, id, { status: 'queued', version: 1 }, NOW));
    await mine('rig before');
    const ledger = await ledgerHash(database.pool);
    expect(ledger.entries).toBeGreaterThan(0);
    const moment = await one<string>('select clock_timestamp()::text as it');

    // A share, a payment that is handed over, and the mistake come after it.
    await mine('rig after');
    const payments = PaymentLog.open(join(folder, 'journal'));
    await moneyTransaction(database.pool, (client) => movePayment(client, id, { status: 'unknown', version: 2 }, NOW));
    payments.record(await marksOf(database.pool, [id]));
    await database.pool.query('delete from share_1d');
    await database.pool.query('delete from earning');
    expect(await counted()).toEqual({});
    const last = await one<string>('select pg_walfile_name(pg_switch_wal()) as it');
    await eventually(
      () => one<boolean>(`select coalesce(last_archived_wal >= '${last}', false) as it from pg_stat_archiver`),
      'the log to be archived',
      60_000,
    );

    await ingest.stop();
    await database.close();
    await cluster.halt();
    pgbackrest('restore', '--delta', '--type=time', `--target=${moment}`, '--target-action=promote');
    await cluster.start();
    const untilPrimary = async (): Promise<boolean> =>
      openDatabase({ url: cluster.url }).then(
        (opened) => {
          database = opened;
          return true;
        },
        () => false,
      );
    await eventually(untilPrimary, 'the end of the recovery', 60_000);

    expect(await ledgerHash(database.pool)).toEqual(ledger);
    expect(await wrongBalances(database.pool)).toBe(0);
    expect(await one<number>('select count(*) as it from earning')).toBeGreaterThan(0);
    expect(await counted()).toEqual({ 'rig before': 1 });
    // What starts on it.
    await restoreMarks(database.pool, PaymentLog.open(join(folder, 'journal')), { error: () => undefined });
    expect(await one('select status as it from payment')).toBe('unknown');
    expect(await openPayments(database.pool, NOW + 86_400)).toEqual([]);
    ingest = await openIngest();
    await mine('rig now');
    expect(await counted()).toEqual({ 'rig before': 1, 'rig after': 1, 'rig now': 1 });
    await ingest.stop();
    ingest = await openIngest();
    await mine('rig last');
    expect(await counted()).toEqual({ 'rig before': 1, 'rig after': 1, 'rig now': 1, 'rig last': 1 });
  },
  240_000,
);
