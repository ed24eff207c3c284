/**
 * Stored balances equal the sums of the ledger under concurrent bookings, and reading a balance does not read the
 * ledger.
 */
import pino from 'pino';
import { Registry } from 'prom-client';
import { emptyTables, databaseOfFile } from '../../platform/db/testing/test-database';
import { rowsOf, sql } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import { startJobs } from '../jobs/jobs';
import { openPayments } from '../payouts/open-payments';
import { balanceOf } from '../payouts/payments';
import {
  balanceFrom,
  balanceSelect,
  book,
  nextRef,
  owedTo,
  owedToReferrer,
  wrongBalances,
  type Balance,
  type Entry,
  type LedgerKind,
} from './ledger';
import { eventually } from '../../testing/eventually';

const ACCOUNTS = 5;
const NOW = Date.now() / 1000;

const database = databaseOfFile();
beforeEach(async () => {
  await emptyTables(database);
  for (let id = 1; id <= ACCOUNTS; id += 1) {
    await database.pool.query('insert into app_user (id, identity_id, user_name) values ($1, $2, $2)', [
      id,
      `user${id}`,
    ]);
    await database.pool.query('insert into sub_account (id, user_id, name, threshold_sat) values ($1, $1, $2, 1)', [
      id,
      `user${id}`,
    ]);
  }
});

let ref = 0;
const bookOne = (kind: LedgerKind, accounts: readonly number[], amountSat: number, fails = false): Promise<unknown> =>
  transaction(database.pool, async (client) => {
    const own = String((ref += 1));
    const entries = accounts.flatMap((id): Entry[] => [
      { party: 'account', subAccountId: id, amountSat, ref: own },
      { party: 'referrer', userId: id, amountSat: 1, ref: `${id}/${own}` },
      { party: 'mined', amountSat: -amountSat - 1, ref: `${id}/${own}` },
    ]);
    await book(client, kind, entries, NOW);
    if (fails) throw new Error('rolled back');
  });

it('balances equal the sums of the ledger after concurrent bookings, some rolled back', async () => {
  const all = Array.from({ length: ACCOUNTS }, (_, i) => i + 1);
  const kinds: LedgerKind[] = ['earning', 'earning_reversal', 'payout', 'payout_reversal'];
  await Promise.all(
    Array.from({ length: 60 }, (_, i) => {
      // The same accounts in the opposite order, which must not deadlock.
      const accounts = i % 2 ? all : [...all].reverse();
      const kind = kinds[i % kinds.length] ?? 'earning';
      const sign = kind === 'payout' || kind === 'earning_reversal' ? -1 : 1;
      return bookOne(kind, accounts, sign * (1000 + i), i % 5 === 0).catch((error: Error) => {
        if (error.message !== 'rolled back') throw error;
      });
    }),
  );
  expect(await wrongBalances(database.pool)).toBe(0);
  const { rows } = await database.pool.query<{ account: number; referrer: number; paid: number; payouts: number }>(
    `select sum(amount_sat) filter (where sub_account_id = 1) as account,
       sum(amount_sat) filter (where user_id = 1) as referrer,
       -sum(amount_sat) filter (where sub_account_id = 1 and kind like 'payout%') as paid,
       count(*) filter (where sub_account_id = 1 and kind = 'payout')
         - count(*) filter (where sub_account_id = 1 and kind = 'payout_reversal') as payouts
     from ledger`,
  );
  const [sums] = rows;
  expect(balanceFrom(await rowsOf<Balance>(database.pool)`${balanceSelect('account', sql`= 1`)}`)).toEqual({
    owedSat: sums?.account,
    paidSat: sums?.paid,
    payouts: sums?.payouts,
  });
  expect(await owedTo(database.pool, 1)).toBe(sums?.account);
  expect(await owedToReferrer(database.pool, 1)).toBe(sums?.referrer);
  expect(await owedTo(database.pool, 99)).toBe(0);
});

it('an event without money leaves no entry, and what follows another of its kind has a number', async () => {
  const numberOf = async (kind: LedgerKind, of: string, subAccountId: number | null = 1) =>
    transaction(database.pool, (client) => nextRef(client, 'account', kind, of, subAccountId));
  const earn = (of: string, amountSat: number) =>
    transaction(database.pool, (client) =>
      book(
        client,
        'earning',
        [
          { party: 'account', subAccountId: 1, amountSat, ref: of },
          { party: 'account', subAccountId: 2, amountSat: 0, ref: of },
          { party: 'mined', amountSat: -amountSat, ref: of },
        ],
        NOW,
      ),
    );
  const entries = async () =>
    (await database.pool.query<{ party: string; ref: string }>('select party, ref from ledger order by id')).rows;
  await transaction(database.pool, (client) => book(client, 'earning', [], NOW));
  await earn('2026-11-01', 0);
  expect(await entries()).toEqual([]);
  expect(await numberOf('earning', '2026-11-01')).toBe('2026-11-01');
  await earn('2026-11-01', 5);
  expect(await entries()).toEqual([
    { party: 'account', ref: '2026-11-01' },
    { party: 'mined', ref: '2026-11-01' },
  ]);
  expect(await numberOf('earning', '2026-11-01')).toBe('2026-11-01#2');
  await earn('2026-11-01#2', 5);
  // A day whose name only begins like it.
  await earn('2026-11-010', 5);
  expect(await numberOf('earning', '2026-11-01')).toBe('2026-11-01#3');
  expect(await numberOf('earning_reversal', '2026-11-01')).toBe('2026-11-01');
  expect(await numberOf('earning', '2026-11-01', 2)).toBe('2026-11-01');
});

it('balances and due payments are read without the ledger', async () => {
  await bookOne('earning', [1, 2], 5000);
  await transaction(database.pool, (client) =>
    book(
      client,
      'payout',
      [
        { party: 'account', subAccountId: 1, amountSat: -2000, ref: '1' },
        { party: 'chain', amountSat: 2000, ref: '1' },
      ],
      NOW,
    ),
  );
  await database.pool.query('alter table ledger rename to ledger_away');
  try {
    expect(await balanceOf(database.pool, 1)).toMatchObject({ unpaidSat: 3000, paidSat: 2000, payouts: 1 });
    expect((await openPayments(database.pool, NOW)).map(({ account }) => account)).toEqual(['user1', 'user2']);
  } finally {
    await database.pool.query('alter table ledger_away rename to ledger');
  }
});

it('the daily job counts wrong balances, logs them and sets the metric', async () => {
  await bookOne('earning', [1, 2, 3], 5000);
  const lines: string[] = [];
  const daily = async (): Promise<string> => {
    const metrics = new Registry();
    const jobs = startJobs({
      pool: database.pool,
      log: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
      closeDays: async () => ({ days: 0, accounts: 0, grossSat: 0, netSat: 0, payments: 0 }),
      metrics,
    });
    await eventually(() => jobs.lastRun()?.endedAt, 'the end of the job');
    const text = await metrics.metrics();
    await jobs.stop();
    return text;
  };
  expect(await daily()).toContain('ledger_wrong_balances 0');
  expect(lines).toEqual([]);
  await database.pool.query("update balance set owed_sat = owed_sat + 1 where party = 'account' and owner_id = 1");
  await database.pool.query("delete from balance where party = 'account' and owner_id = 2");
  await database.pool.query("update balance set payouts = 1 where party = 'referrer' and owner_id = 3");
  expect(await daily()).toContain('ledger_wrong_balances 3');
  expect(lines.join('')).toContain('balances differ from the sum of the ledger');
});
