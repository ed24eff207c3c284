/** A pool moves from one kind of database into the other by one command, with the same ledger and rows. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Database } from '../platform/db/database';
import { postgresDatabase } from '../platform/db/testing/postgres';
import { wrongBalances } from '../money/ledger/ledger';
import { lockFolder } from '../platform/lock';
import { openPayments } from '../money/payouts/open-payments';
import { copyDatabase } from './copy-database';
import { ledgerHash } from './ledger-hash';
import { adminText, fill } from './testing/product';

let folder: string;
let target: Database & { url: string };
let data: string;
let env: Record<string, string>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'move-'));
  data = join(folder, 'data');
  target = await postgresDatabase(2);
  env = { DATA_DIR: data, DATABASE_URL: target.url };
});
afterEach(async () => {
  await target.close();
  rmSync(folder, { recursive: true, force: true });
});
const move = (to: 'postgresql' | 'embedded'): Promise<string> => adminText(env, 'move-database', to);

/** A hash of the rows of every table, and where every sequence goes on. */
async function contents({ pool }: Database): Promise<Record<string, unknown>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  const found: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query(
      `select count(*) as rows, md5(coalesce(string_agg(t::text, ',' order by t::text collate "C"), '')) as hash
       from "${name}" t`,
    );
    found[name] = rows[0];
  }
  const { rows: sequences } = await pool.query<{ name: string; last: number }>(
    "select sequencename as name, last_value as last from pg_sequences where schemaname = 'public'",
  );
  for (const { name, last } of sequences) found[name] = last;
  return found;
}

it('embedded to PostgreSQL and back: every row, sequence and the ledger hash are the same', async () => {
  const first = await openDatabase({ folder: join(data, 'db') });
  await fill(first);
  await openPayments(first.pool, Date.now() / 1000);
  // Values that a copy could change on its way, and work older than any partition of a new database.
  await first.pool.query(
    `insert into audit (action, subject, before, after) values ('x', E'a\\\\b\\n"{},NULL', 'null', '{"n": 1.10}');
     insert into telegram_connection (user_id, events, token_hash, session_id, expires_at)
     values (1, '{offline,"a,b"}', 'hash', 'session', now());
     insert into account_10m (sub_account_id, algorithm, at, accepted, shares)
     values (1, 'SCRYPT', now() - interval '39 days', 0.1::float8 + 0.2, 1)`,
  );
  const before = await contents(first);
  const ledger = (await ledgerHash(first.pool)).hash;
  await first.close();

  // A running server holds it so.
  const lock = await lockFolder(data);
  await expect(move('postgresql')).rejects.toThrow('in use by another process');
  await lock.release();

  expect(await move('postgresql')).toContain(ledger);
  expect(existsSync(join(data, 'db'))).toBe(false);
  expect(readdirSync(data).filter((name) => name.startsWith('db.moved-'))).toHaveLength(1);
  expect((await ledgerHash(target.pool)).hash).toBe(ledger);
  expect(await contents(target)).toEqual(before);
  expect(await wrongBalances(target.pool)).toBe(0);
  await expect(target.pool.query('delete from ledger')).rejects.toThrow('append-only');
  await expect(target.pool.query('insert into worker (sub_account_id, name) values (999999, 1)')).rejects.toThrow();
  await expect(move('postgresql')).rejects.toThrow('There is no embedded database');

  // One that has a pool in it is not moved to.
  const [from, to] = [await target.pool.connect(), await target.pool.connect()];
  await expect(copyDatabase(from, to)).rejects.toThrow('has a pool in it already');
  for (const client of [from, to]) client.release();

  // The copy itself is the same one.
  expect(await move('embedded')).toContain(ledger);
  expect(existsSync(join(data, 'db', 'complete'))).toBe(true);
});
