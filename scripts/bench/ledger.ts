/**
 * Response times of money queries with a new ledger and one of ten years: balances, payments to open, the admin's list.
 * With both databases.
 */
import { pathToFileURL } from 'node:url';
import { testDatabase } from '../../api/src/db/testing/test-database';
import { testApp, type Person } from '../../api/src/http/testing/test-app';
import { openPayments } from '../../api/src/payouts/open-payments';
import { onBothDatabases } from './databases';

/** Statements that fill tables take long. */
const STATEMENT_MS = 3_600_000;

const ACCOUNTS = 20;
const YEARS = 10;
const MONTHS = YEARS * 12;
const CALLS = ['/api/payment/', '/api/getSubAccountBalance/', '/api/earnings/monthly'];
const ADMIN_CALL = '/api/users/';
const TIMES = 100;

type Query = (text: string) => Promise<unknown>;

/** Earnings of every day and a payout of every month, booked as the accounting does, `years` back from last month. */
async function fill(query: Query): Promise<void> {
  await query(
    `insert into day_price (day, algorithm, price_btc, btc_price_usd, source)
     select d::date, a, 1, 1, 'manual'
     from generate_series(now() - interval '${MONTHS} months', now(), '1 day') d,
       unnest(array['SHA256_ASICBOOST', 'SCRYPT']) a
     on conflict do nothing`,
  );
  for (let ago = MONTHS; ago > 0; ago -= 1) {
    const month = `(date_trunc('month', now() at time zone 'UTC') - interval '${ago} months')`;
    const end = `${month} + interval '1 month' - interval '1 day'`;
    const days = `generate_series(${month}, ${end}, '1 day') d, sub_account s`;
    await query(
      `insert into earning (sub_account_id, algorithm, day, work, shares, mean_hashrate, price_btc, btc_price_usd,
         fee_percent, gross_sat, fee_sat, net_sat)
       select s.id, 'SHA256_ASICBOOST', d::date, 1, 1, 1, 1, 1, 1, 1000, 10, 990 from ${days}`,
    );
    await query(
      `insert into ledger (party, sub_account_id, kind, amount_sat, ref, at)
       select party, case party when 'account' then s.id end, 'earning', amount,
         case party when 'account' then '' else s.id || '/' end || d::date, d
       from ${days}, (values ('account', 990), ('pool', 10), ('mined', -1000)) e(party, amount)`,
    );
    await query(
      `insert into payment (sub_account_id, period_from, period_to, amount_sat, address)
       select id, ${month}, ${month}, 29000, 'a' from sub_account`,
    );
    await query("update payment set status = 'queued' where status = 'pending'");
    await query(
      "update payment set status = 'sent', sent_at = now(), txid = lpad(to_hex(id), 64, '0') where status = 'queued'",
    );
    await query(
      `insert into ledger (party, sub_account_id, kind, amount_sat, ref, at)
       select party, case party when 'account' then sub_account_id end, 'payout', amount, id::text, ${month}
       from payment, (values ('account', -29000), ('chain', 29000)) e(party, amount) where status = 'sent'`,
    );
    await query("update payment set status = 'confirmed', confirmed_at = now() where status = 'sent'");
  }
  await query('analyze');
}

async function median(ask: () => Promise<unknown>): Promise<string> {
  const took: number[] = [];
  for (let i = 0; i < TIMES; i += 1) {
    const before = performance.now();
    await ask();
    took.push(performance.now() - before);
  }
  return (took.sort((a, b) => a - b)[TIMES / 2] ?? 0).toFixed(2);
}

export const benchLedger = (): Promise<void> =>
  onBothDatabases(async (name) => {
    const test = await testApp({ database: await testDatabase(STATEMENT_MS) });
    const { pool } = test.database;
    const query: Query = (text) => pool.query(text);
    try {
      for (let n = 1; n < ACCOUNTS; n += 1) await test.person(`miner${n}`);
      await test.person('boss', { role: 'admin' });
      const measure = async (): Promise<string[]> => {
        const miner: Person = await test.signIn('miner1');
        const boss = await test.signIn('boss');
        const call = (who: Person, path: string) => async (): Promise<void> => {
          const { status } = await who.call(path);
          if (status !== 200) throw new Error(`${path}: ${status}`);
        };
        const asked: string[] = [];
        for (const path of CALLS) asked.push(await median(call(miner, path)));
        asked.push(await median(call(boss, ADMIN_CALL)));
        asked.push(await median(() => openPayments(pool, Date.now() / 1000)));
        return asked;
      };
      const young = await measure();
      await fill(query);
      const old = await measure();
      process.stdout.write(
        `\nMoney on ${name}, ms one at a time, ${ACCOUNTS} accounts\n` +
          `| | new ledger | ${YEARS} years |\n|---|---|---|\n`,
      );
      [...CALLS, ADMIN_CALL, 'open payments'].forEach((what, i) =>
        process.stdout.write(`| ${what} | ${young[i]} | ${old[i]} |\n`),
      );
    } finally {
      await test.close();
    }
  });

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) void benchLedger();
