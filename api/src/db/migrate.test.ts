/** Databases of earlier versions, with data, are migrated to the newest (security.md, faults: migration). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { closeDays } from '../accounting/earnings';
import { dayOf } from '../days';
import { wrongBalances } from '../ledger/ledger';
import { verifyAudit } from '../accounts/audit-chain';
import { startEmbedded, type EmbeddedDatabase } from './embedded';
import { migrateTo } from './migrate';
import { migrateUntil } from './testing/migrations';

const NOW = Date.now() / 1000;
const YESTERDAY = dayOf(NOW - 86_400);

let embedded: EmbeddedDatabase;
beforeEach(async () => {
  embedded = await startEmbedded({ template: '' });
});
afterEach(async () => {
  await embedded.stop();
});

const fixture = (name: string): string =>
  readFileSync(join(__dirname, 'fixtures', `${name}.sql`), 'utf8').replaceAll('$DAY$', YESTERDAY);

/** Tables that later versions call otherwise. */
const RENAMED: Record<string, string> = { telegram_outbox: 'outbox' };

type Step = { last: string; fixtures: string[] };
const MONEY: Step = { last: '0020_money', fixtures: ['0001', '0020'] };

/** Of versions whose migrations and data the others have too. */
const BETWEEN = process.env.HEAVY
  ? [
      { last: '0002', steps: [{ last: '0002_time_indexes', fixtures: ['0001', '0001-ledger'] }] },
      { last: '0020', steps: [MONEY] },
    ]
  : [];

/** `steps`: how the database came to be, with the data of each version. */
it.each<{ last: string; steps: Step[] }>([
  { last: '0001', steps: [{ last: '0001_partitions_and_triggers', fixtures: ['0001', '0001-ledger'] }] },
  ...BETWEEN,
  { last: '0110, with rows in every table', steps: [MONEY, { last: '0110_two_step', fixtures: ['0110'] }] },
])('from $last', async ({ steps }) => {
  const old = new pg.Client(embedded.connection);
  await old.connect();
  for (const { last, fixtures } of steps) {
    await migrateUntil(old, last);
    for (const name of fixtures) await old.query(fixture(name));
  }
  // So much that it is keyed in parts, after the migrations: with little in each page.
  if (steps.length > 1)
    await old.query(
      `alter table share_1d set (fillfactor = 10);
       insert into share_1d (worker_id, at)
       select id, timestamptz '2000-01-01Z' - n * interval '1 day'
       from (select id from worker union all select 999999) w, generate_series(1, 15000) n`,
    );
  const count = async (table: string): Promise<string> =>
    (await old.query<{ n: string }>(`select count(*) as n from ${table}`)).rows[0]?.n ?? '';
  const tables = (
    await old.query<{ name: string }>(
      `select tablename as name from pg_tables
         where schemaname = 'public' and tablename !~ '_([0-9]{8}|default)$'
         union select 'share_1m'`,
    )
  ).rows
    .map(({ name }) => name)
    .filter((name) => name !== 'ledger' && name !== 'term');
  const before = new Map<string, string>();
  for (const name of tables) before.set(name, await count(name));
  await old.end();
  if (steps.length > 1) expect([...before].filter(([, rows]) => rows === '0')).toEqual([]);

  await migrateTo(embedded.connection);

  const pool = new pg.Pool({
    ...embedded.connection,
    max: 1,
    types: {
      getTypeParser: (oid: number) =>
        oid === 20 || oid === 1700 ? Number : oid === 1082 ? String : pg.types.getTypeParser(oid),
    },
  });
  const ask = async (text: string): Promise<Record<string, unknown>[]> =>
    (await pool.query<Record<string, unknown>>(text)).rows;
  try {
    for (const name of tables)
      expect([name, String((await ask(`select count(*) as n from ${RENAMED[name] ?? name}`))[0]?.n)]).toEqual([
        name,
        before.get(name),
      ]);
    expect(await ask('select party, sum(amount_sat) as sats from ledger group by 1 order by 1')).toEqual([
      { party: 'account', sats: 38_750 },
      { party: 'chain', sats: 60_000 },
      { party: 'mined', sats: -100_000 },
      { party: 'pool', sats: 1125 },
      { party: 'referrer', sats: 125 },
    ]);
    // What is owed was summed from the old ledger, and is maintained from then on.
    expect(await ask('select party, owner_id, owed_sat, paid_sat, payouts from balance order by 1')).toEqual([
      { party: 'account', owner_id: 1, owed_sat: 38_750, paid_sat: 60_000, payouts: 1 },
      { party: 'referrer', owner_id: 2, owed_sat: 125, paid_sat: 0, payouts: 0 },
    ]);
    expect(
      await ask(
        `select count(*) as n from share_1d s left join worker w on w.id = s.worker_id
         where s.sub_account_id <> coalesce(w.sub_account_id, 0)`,
      ),
    ).toEqual([{ n: 0 }]);
    // Hours moved into their months; none is left over.
    expect(await ask('select count(*) as n from account_1h_default')).toEqual([{ n: 0 }]);
    expect(await ask('select sum(shares) as n from account_1h')).toEqual([{ n: 9 }]);
    // The pool continues: yesterday closes on top of it.
    expect(await closeDays(pool, { poolFeePercent: 1.5 }, NOW)).toMatchObject({ days: 1, accounts: 1 });
    expect(await ask('select sum(amount_sat) as sats from ledger')).toEqual([{ sats: 0 }]);
    expect(await wrongBalances(pool)).toBe(0);
    await expect(pool.query('delete from ledger')).rejects.toThrow('append-only');
    // The audit log of before is in the chain.
    expect(await ask('select count(*) as n from audit')).toEqual([{ n: (await verifyAudit(pool)).seq }]);
  } finally {
    await pool.end();
  }
});
