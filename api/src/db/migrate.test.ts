/** Databases of earlier versions, with data, are migrated to the newest (security.md, faults: migration). */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { closeDays } from '../accounting/earnings';
import { dayOf } from '../days';
import { wrongBalances } from '../ledger/ledger';
import { verifyAudit } from '../accounts/audit-chain';
import { startEmbedded, type EmbeddedDatabase } from './embedded';
import { migrateTo, migrationsFolder } from './migrate';

const NOW = Date.now() / 1000;
const YESTERDAY = dayOf(NOW - 86_400);
type Journal = { entries: { tag: string }[] };

let folder: string;
let embedded: EmbeddedDatabase;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'migrate-'));
  embedded = await startEmbedded({ template: '' });
});
afterEach(async () => {
  await embedded.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The migrations up to `last`. */
function migrationsUntil(last: string): string {
  cpSync(migrationsFolder, folder, { recursive: true });
  const file = join(folder, 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(file, 'utf8')) as Journal;
  const end = journal.entries.findIndex(({ tag }) => tag === last);
  if (end < 0) throw new Error(`no migration ${last}`);
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end + 1) }));
  return folder;
}

const fixture = (name: string): string =>
  readFileSync(join(__dirname, 'fixtures', `${name}.sql`), 'utf8').replaceAll('$DAY$', YESTERDAY);

it.each([
  { last: '0001_partitions_and_triggers', fixtures: ['0001', '0001-ledger'] },
  { last: '0002_time_indexes', fixtures: ['0001', '0001-ledger'] },
  { last: '0020_money', fixtures: ['0001', '0020'] },
])(
  'from $last',
  async ({ last, fixtures }) => {
    const old = new pg.Client(embedded.connection);
    await old.connect();
    await old.query("set timezone to 'UTC'");
    await migrate(drizzle(old), { migrationsFolder: migrationsUntil(last) });
    await old.query('select ensure_partitions()');
    for (const name of fixtures) await old.query(fixture(name));
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
        expect([name, String((await ask(`select count(*) as n from ${name}`))[0]?.n)]).toEqual([
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
  },
  120_000,
);
