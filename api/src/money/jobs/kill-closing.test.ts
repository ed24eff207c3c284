/**
 * kill -9 while days are closed: at the end each day is closed once, with the amounts of an independent calculation.
 * KILLS=50 for the full count.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../platform/db/database';
import { transaction } from '../../platform/db/transaction';
import { countBatch } from '../../mining/shares/count-batch';
import type { Bucket } from '../../mining/shares/rollup';
import type { ClosingArguments } from './testing/closing-process';
import { TYPESCRIPT } from '../../testing/typescript';

const KILLS = Number(process.env.KILLS ?? (process.env.HEAVY ? 50 : 1));
const DAY = 86_400;
const ACCOUNTS = process.env.HEAVY ? 30 : 10;
const DAYS = process.env.HEAVY ? 120 : 30;
/** Kills before the test starts again with a new database. */
const KILLS_A_ROUND = 10;
const NOW = Math.floor(Date.now() / 1000 / DAY) * DAY + 3600;
const FIRST = Math.floor(NOW / DAY) - DAYS;
/** Percent, because a quarter of an integer is exact in floating point. */
const FEE = 25;
const PRICE = 0.00002;
const PRICE_UNIT = 1e15;
/** An account's work on a day, as a sum of difficulties. */
const workOf = (account: number, day: number): number => (1e9 + account * 1_000_003 + day * 7919) * 1e3;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kill-closing-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Closes days in a child process, and kills it after `ms` unless it ends before. */
const close = (ms: number | null): Promise<'done' | 'killed'> =>
  new Promise((resolve, reject) => {
    const args = JSON.stringify({ folder, now: NOW, poolFeePercent: FEE } satisfies ClosingArguments);
    const child = fork(join(__dirname, 'testing/closing-process.ts'), [args], {
      execArgv: TYPESCRIPT,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    let done = false;
    child.on('message', (message: string) => {
      if (message === 'done') done = true;
      else if (ms !== null) setTimeout(() => child.kill('SIGKILL'), ms);
    });
    child.once('exit', (code, signal) => {
      if (done) resolve('done');
      else if (signal === 'SIGKILL') resolve('killed');
      else reject(new Error(`ended with ${code}`));
    });
  });

async function fill(): Promise<void> {
  const first = await openDatabase({ folder });
  await first.pool.query(
    `insert into app_user (id, identity_id, user_name, created_at)
     select n, 'x' || n, 'user' || n, '2020-01-01' from generate_series(1, ${ACCOUNTS}) n`,
  );
  await first.pool.query(
    `insert into sub_account (id, user_id, name, threshold_sat, btc_address)
     select n, n, 'user' || n, 10000, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' from generate_series(1, ${ACCOUNTS}) n`,
  );
  await first.pool.query(
    `insert into day_price (day, algorithm, price_btc, btc_price_usd)
     select date '1970-01-01' + n, 'SHA256_ASICBOOST', $3, 90000 from generate_series($1::int, $2::int) n`,
    [FIRST, FIRST + DAYS, PRICE],
  );
  // The second user referred the third before the first day, so the referrer gets a share of every fee.
  await first.pool.query(
    'insert into referral (user_id, referrer_id, activated_at) values (3, 2, to_timestamp($1::float8))',
    [FIRST * DAY - DAY],
  );
  const buckets = Array.from({ length: DAYS }, (_, day) =>
    Array.from({ length: ACCOUNTS }, (__, i): Bucket => ({
      subAccountId: i + 1,
      algorithm: 'SHA256_ASICBOOST',
      worker: 'rig',
      at: (FIRST + day) * DAY + 3600,
      span: 3600,
      accepted: workOf(i + 1, day),
      stale: 0,
      rejected: 0,
      shares: 10,
      lastShareAt: null,
    })),
  ).flat();
  await transaction(first.pool, (client) => countBatch(client, { proxyId: 'test', sequence: 1 }, buckets));
  await first.close();
}

async function verify(): Promise<void> {
  const database = await openDatabase({ folder });
  try {
    const rows = async <T>(text: string): Promise<T[]> => (await database.pool.query(text)).rows as T[];
    const earnings = await rows<{ account: number; day: number; gross: number; fee: number; net: number }>(
      `select sub_account_id as account, (day - date '1970-01-01') - ${FIRST} as day,
         gross_sat as gross, fee_sat as fee, net_sat as net
       from earning
       order by day, sub_account_id`,
    );
    // Computed without the accounting's code: work x 2^32 hashes over a day, in units of 1 PH/s, times the price.
    const expected = Array.from({ length: DAYS }, (_, day) =>
      Array.from({ length: ACCOUNTS }, (__, i) => {
        const gross = Math.floor(((workOf(i + 1, day) * 2 ** 32) / DAY / PRICE_UNIT) * PRICE * 1e8 * (1 + 1e-12));
        const fee = Math.floor((gross * FEE) / 100 + 0.5);
        return { account: i + 1, day, gross, fee, net: gross - fee };
      }),
    ).flat();
    expect(earnings).toHaveLength(expected.length);
    expect(earnings).toEqual(expected);

    const total = expected.reduce(
      (sums, { gross, fee, net }) => ({ gross: sums.gross + gross, fee: sums.fee + fee, net: sums.net + net }),
      { gross: 0, fee: 0, net: 0 },
    );
    const booked = Object.fromEntries(
      (await rows<{ party: string; sats: number }>('select party, sum(amount_sat) as sats from ledger group by 1')).map(
        ({ party, sats }) => [party, sats],
      ),
    );
    expect(booked.mined).toBe(-total.gross);
    expect(booked.account).toBe(total.net);
    expect((booked.pool ?? 0) + (booked.referrer ?? 0)).toBe(total.fee);
    expect(booked.referrer).toBeGreaterThan(0);
    // Each account has one payment with its whole balance.
    expect(
      await rows(
        `select p.sub_account_id as account, count(*) as n, sum(amount_sat) as sats
         from payment p
         group by 1
         order by 1`,
      ),
    ).toEqual(
      Array.from({ length: ACCOUNTS }, (_, i) => ({
        account: i + 1,
        n: 1,
        sats: expected.reduce((sats, row) => sats + (row.account === i + 1 ? row.net : 0), 0),
      })),
    );
    expect(await rows("select value from setting where name = 'accounting.closed_through'")).toEqual([
      { value: new Date((FIRST + DAYS - 1) * DAY * 1000).toISOString().slice(0, 10) },
    ]);
  } finally {
    await database.close();
  }
}

it(
  `kills the closing of ${DAYS} days ${KILLS} times: each day is closed once, to the satoshi`,
  async () => {
    let kills = 0;
    while (kills < KILLS) {
      rmSync(folder, { recursive: true, force: true });
      await fill();
      for (let round = 0; round < KILLS_A_ROUND && kills < KILLS; round += 1) {
        if ((await close(10 + Math.random() * 150)) === 'done') break;
        kills += 1;
      }
      await close(null);
      await verify();
    }
  },
  240_000 + KILLS * 15_000,
);
