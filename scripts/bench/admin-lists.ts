/**
 * Response times of the admins' lists, first page and search, with 10,000 users, 1,000,000 earnings, 100,000 payments
 * and 1,000,000 rows in the audit log. With the embedded database.
 */
import { testDatabase } from '../../api/src/db/testing/test-database';
import { testApp, type Person } from '../../api/src/http/testing/test-app';
import { quantile, timesOf } from './figures';

/** Statements that fill tables take long. */
const STATEMENT_MS = 3_600_000;

const USERS = 10_000;
const EARNINGS = 1_000_000;
const PAYMENTS = 100_000;
const AUDIT = 1_000_000;
/** Rows of one statement: the embedded database keeps a statement's rows in memory. */
const PART = 100_000;
const TIMES = 7;

const CALLS = [
  '/api/users/?sort=-hashrate24h',
  '/api/users/?sort=userName&search=er77',
  '/api/users/?sort=-unpaidSat&legacy=true',
  '/api/admin/editUsers?search=er77',
  '/api/admin/subAccounts',
  '/api/admin/subAccounts?search=er77',
  '/api/admin/subAccounts?sort=-unpaidSat',
  '/api/getPayments/?order=oldest&status=pending',
  '/api/getPayments/?status=confirmed',
  '/api/getPayments/?search=user77',
  `/api/getPayments/?search=${'0'.repeat(63)}1`,
  '/api/admin/referralPayments',
  '/api/admin/adjustments',
  '/api/admin/bonusRequests',
  '/api/audit',
  '/api/audit?action=payment',
  '/api/audit?action=terms',
  '/api/audit?subject=77',
  '/api/audit?userName=user77',
  '/api/audit?from=2026-01-05&to=2026-01-06',
  '/api/admin/overview',
  '/api/admin/system',
  '/api/admin/terms',
];

type Query = (text: string) => Promise<unknown>;
const parts = (total: number): [number, number][] =>
  Array.from({ length: Math.ceil(total / PART) }, (_, at) => [at * PART + 1, Math.min((at + 1) * PART, total)]);

async function fill(query: Query): Promise<void> {
  await query(
    `insert into app_user (identity_id, user_name, email, is_legacy_user, last_seen_at)
     select 'u' || n, 'user' || n, 'user' || n || '@example.com', n % 10 = 0, now()
     from generate_series(1, ${USERS}) n`,
  );
  await query(
    `insert into sub_account (user_id, name, btc_address)
     select id, user_name, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' from app_user where user_name like 'user%'`,
  );
  await query(
    "create temporary table a as select row_number() over () as n, id from sub_account where name like 'user%'",
  );
  for (const [from, to] of parts(EARNINGS)) {
    await query(
      `insert into earning (sub_account_id, algorithm, day, work, shares, mean_hashrate, price_btc, btc_price_usd,
         fee_percent, gross_sat, fee_sat, net_sat)
       select a.id, 'SHA256_ASICBOOST', date '2026-11-01' - ((i - 1) / ${USERS})::int, 1, 1, 1, 1, 1, 1, 1000, 10, 990
       from generate_series(${from}, ${to}) i
       join a on a.n = (i - 1) % ${USERS} + 1`,
    );
    await query(
      `insert into ledger (party, sub_account_id, kind, amount_sat, ref)
       select party, case party when 'account' then a.id end, 'earning', amount, 'bench/' || i
       from generate_series(${from}, ${to}) i
       join a on a.n = (i - 1) % ${USERS} + 1,
         (values ('account', 990), ('pool', 10), ('mined', -1000)) e(party, amount)`,
    );
  }
  // One open payment for each account, the others confirmed, without walking through the states.
  await query('alter table payment disable trigger user');
  await query(
    `insert into payment (sub_account_id, period_from, period_to, amount_sat, address, status, txid, trigger)
     select a.id, '2026-01-01', '2026-01-02', 1000, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
       case when i <= ${USERS} then 'pending' else 'confirmed' end,
       case when i <= ${USERS} then null else lpad(to_hex(i), 64, '0') end,
       case when i % 20 = 0 and i > ${USERS} then 'referral' else 'auto' end
     from generate_series(1, ${PAYMENTS}) i
     join a on a.n = (i - 1) % ${USERS} + 1`,
  );
  await query('alter table payment enable trigger user');
  for (const [from, to] of parts(AUDIT))
    await query(
      `insert into audit (user_id, action, subject, before, after, ip, at)
       select (select min(id) from app_user) + i % ${USERS},
         (array['payment.queued', 'payment.sent', 'wallet.change', 'view_as.read', 'user.update'])[i % 5 + 1],
         (i % 50000)::text, '{"status": "pending"}', '{"status": "queued"}', '10.0.0.1',
         timestamptz '2026-01-01' + i * interval '20 seconds'
       from generate_series(${from}, ${to}) i`,
    );
  await query('drop table a');
  await query('analyze');
}

async function measure(who: Person, path: string): Promise<{ first: number; median: number }> {
  const [first = 0, ...rest] = await timesOf(TIMES, async () => {
    const { status, text } = await who.call(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  });
  return { first, median: quantile(rest, 0.5) };
}

async function run(): Promise<string[]> {
  const test = await testApp({ database: await testDatabase(STATEMENT_MS) });
  try {
    const admin = await test.person('boss', { role: 'admin' });
    // One connection: what is temporary stays there.
    const client = await test.database.pool.connect();
    await fill((text) => client.query(text)).finally(() => client.release());
    const lines: string[] = [];
    for (const path of CALLS) {
      const { first, median } = await measure(admin, path);
      lines.push(`${path.slice(0, 60).padEnd(62)} ${first.toFixed(0).padStart(6)} ${median.toFixed(0).padStart(6)}`);
    }
    return lines;
  } finally {
    await test.close();
  }
}

export async function benchAdminLists(): Promise<void> {
  process.stdout.write(`\nThe admins' lists, ms: first call, median of the next ${TIMES - 1}\n`);
  process.stdout.write(`${(await run()).join('\n')}\n`);
}
