/** What the database has lost of payments that were handed over is put back, and nothing else is changed. */
import { databaseOfFile } from '../../platform/db/testing/test-database';
import { startOfDay } from '../../platform/days';
import { moneyTransaction } from '../../platform/db/transaction';
import { insertUsers } from '../jobs/testing/miners';
import { openPayments } from './open-payments';
import { movePayment } from './payment-changes';
import { marksOf, PaymentLog, type PaymentMark } from './payment-log';
import { restoreMarks } from './restore-marks';

const NOW = startOfDay('2026-11-20') + 7200;
const OTHER = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy';
const TXID = 'ab'.repeat(32);
const database = databaseOfFile();
const sql = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await database.pool.query(text, values)).rows as T[];

let reports: string[];
let log: PaymentLog;
const restore = (marks: readonly PaymentMark[], ids?: readonly number[]): Promise<number> => {
  log = PaymentLog.open(null);
  log.record(marks);
  return restoreMarks(database.pool, log, { error: (_, message) => reports.push(message) }, ids);
};
const payments = () =>
  sql<{ id: number; status: string; address: string; amount: number; note: string | null }>(
    'select id, status, address, amount_sat as amount, note from payment order by id',
  );
const states = async () => (await payments()).map(({ id, status }) => [id, status]);
const markOf = async (id: number): Promise<PaymentMark> => {
  const [mark] = await marksOf(database.pool, [id]);
  if (!mark) throw new Error('no payment');
  return mark;
};
const give = (party: 'account' | 'referrer', owner: number, sats: number) =>
  sql(
    `insert into ledger (party, sub_account_id, user_id, kind, amount_sat, ref)
     select $1, $2::int, $3::int, 'bonus', $4::bigint, count(*) from ledger
     union all select 'pool', null, null, 'bonus', -$4::bigint, count(*) from ledger`,
    [party, party === 'account' ? owner : null, party === 'account' ? null : owner, sats],
  );
const move = async (id: number, change: object): Promise<void> => {
  const { version } = await markOf(id);
  const read = { ...change, version } as Parameters<typeof movePayment>[2];
  await moneyTransaction(database.pool, (client) => movePayment(client, id, read, NOW));
};
const opened = async (): Promise<number> => (await openPayments(database.pool, NOW))[0]?.id ?? 0;
/** Ann's payment of 5,000 satoshis, pending. */
let id: number;

beforeEach(async () => {
  reports = [];
  await insertUsers(database);
  await give('account', 1, 5000);
  id = await opened();
});

const queue = { status: 'queued', note: 'once more' };
const fail = { status: 'failed', note: 'bounced' };
it.each([
  ['pending', [], 'unknown', 1, 'unknown'],
  ['queued', [queue], 'sent', 1, 'unknown'],
  ['queued', [queue], 'confirmed', 1, 'unknown'],
  ['failed before it', [queue, fail], 'unknown', 1, 'unknown'],
  ['failed after it', [queue, fail], 'unknown', 0, 'failed'],
  ['cancelled', [{ status: 'cancelled' }], 'unknown', 1, 'cancelled'],
  ['unknown', [queue, { status: 'unknown' }], 'sent', 1, 'unknown'],
  ['pending, and the log says approved', [], 'queued', 1, 'pending'],
  ['queued, and the log says failed', [queue], 'failed', 1, 'queued'],
] as const)('in the database %s', async (_, changes, status, later, after) => {
  for (const change of changes) await move(id, change);
  const mark = await markOf(id);
  const [before] = await payments();
  const told = { ...mark, status, version: mark.version + 9 * later, txid: TXID };
  const isPutBack = before?.status !== after;
  expect(await restore([told], [id + 1])).toBe(0);
  expect(await restore([told], [id])).toBe(Number(isPutBack));
  expect(log.marks()).toEqual(isPutBack ? await marksOf(database.pool, [id]) : [told]);
  expect(await restore([told])).toBe(0);
  const note: unknown = isPutBack ? expect.stringContaining(`was ${status} (${TXID})`) : before?.note;
  expect(await payments()).toEqual([{ ...before, status: after, note }]);
  expect(await sql('select subject, ip, before, after from audit')).toEqual(
    isPutBack
      ? [
          {
            subject: String(id),
            ip: 'payment log',
            before: { status: before?.status },
            after: { status: 'unknown', note },
          },
        ]
      : [],
  );
  expect(reports).toHaveLength(Number(isPutBack));
});

it.each([['pending'], ['queued']])(
  '%s for an address of later, it is put back for the one it was given to',
  async (now) => {
    const mark = { ...(await markOf(id)), status: 'unknown', version: 9 };
    await sql('update sub_account set btc_address = $1 where id = 1', [OTHER]);
    await openPayments(database.pool, NOW);
    if (now === 'queued') await move(id, queue);
    expect(await payments()).toMatchObject([{ status: now, address: OTHER }]);
    expect(await restore([mark])).toBe(1);
    expect(await payments()).toMatchObject([{ id, status: 'unknown', address: mark.address }]);
  },
);

it('two servers that start at once put it back once', async () => {
  const mark = { ...(await markOf(id)), status: 'sent', version: 9 };
  await Promise.all(Array.from({ length: 4 }, () => restore([mark])));
  expect(await states()).toEqual([[id, 'unknown']]);
  expect(await sql('select subject from audit')).toEqual([{ subject: String(id) }]);
});

describe('a payment that is not there any more', () => {
  let mark: PaymentMark;
  /** Makes the database an older copy, in which no payment was opened. */
  const forget = () =>
    sql(`set session_replication_role to replica; delete from payment; set session_replication_role to origin;
      alter sequence payment_id_seq restart`);
  beforeEach(async () => {
    mark = { ...(await markOf(id)), status: 'unknown', version: 3 };
    await forget();
  });

  it('has its number again, which no other gets', async () => {
    expect(await restore([{ ...mark, id: 7 }])).toBe(1);
    expect(await payments()).toMatchObject([{ id: 7, status: 'unknown', amount: 5000, address: mark.address }]);
    await give('account', 2, 5000);
    expect(await opened()).toBe(8);
  });

  it('takes the place of what was opened meanwhile, under a number of its own where that has the old one', async () => {
    expect(await opened()).toBe(mark.id);
    expect(await restore([mark])).toBe(1);
    expect(await states()).toEqual([
      [mark.id, 'cancelled'],
      [mark.id + 1, 'unknown'],
    ]);
    expect(await opened()).toBe(0);
  });

  it('leaves payments of other accounts and of other money as they are', async () => {
    await sql('update app_user set referral_address = $1 where id = 1', [OTHER]);
    await give('referrer', 1, 10_000);
    await give('account', 2, 5000);
    await openPayments(database.pool, NOW);
    expect(await restore([{ ...mark, id: 7 }])).toBe(1);
    expect(
      await sql(
        "select sub_account_id as account, trigger, status from payment where status <> 'cancelled' order by 1, 2 desc",
      ),
    ).toEqual([
      { account: 1, trigger: 'referral', status: 'pending' },
      { account: 1, trigger: 'auto', status: 'unknown' },
      { account: 2, trigger: 'auto', status: 'pending' },
    ]);
  });

  it('of two of an account the second follows when a person has ended the first; none is opened between', async () => {
    await give('account', 1, 2000);
    const second = { ...mark, id: mark.id + 1, key: '00000000-0000-4000-8000-000000000002', amountSat: 2000 };
    expect(await restore([mark, second])).toBe(1);
    expect(await states()).toEqual([[mark.id, 'unknown']]);
    expect(reports).toHaveLength(2);
    expect(await opened()).toBe(0);
    await move(mark.id, { status: 'sent', txid: TXID });
    expect(await restore([{ ...mark, status: 'sent', version: 4 }, second])).toBe(1);
    expect(await opened()).toBe(0);
    expect(await states()).toEqual([
      [mark.id, 'sent'],
      [second.id, 'unknown'],
    ]);
  });

  it.each([{ account: 'eve' }, { subAccountId: 2 }, { subAccountId: 99 }])(
    'is reported and not put back where the account is another one: %j',
    async (other) => {
      expect(await restore([{ ...mark, ...other }])).toBe(0);
      expect([await payments(), reports]).toEqual([[], [expect.stringContaining('cannot be put back')]]);
      expect(await sql('select from audit')).toEqual([]);
    },
  );

  it('of referral money has the accruals of what it takes the place of', async () => {
    await sql(
      `insert into referral_accrual (user_id, referrer_id, sub_account_id, algorithm, day, base_fee_sat, rate_percent,
         amount_sat) values (2, 1, 2, 'SCRYPT', '2026-11-10', 100000, 10, 10000)`,
    );
    await sql('update app_user set referral_address = $1 where id = 1', [OTHER]);
    await give('referrer', 1, 10_000);
    await openPayments(database.pool, NOW);
    expect(await restore([{ ...mark, id: 7, trigger: 'referral', amountSat: 10_000 }])).toBe(1);
    expect(await sql('select status, payment_id as payment from referral_accrual')).toEqual([
      { status: 'payable', payment: 7 },
    ]);
  });
});
