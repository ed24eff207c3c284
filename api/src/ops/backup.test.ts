/** Backup and restore of the embedded database as processes (security.md: backup, restore), and moves of a pool. */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../platform/config';
import { type Database, openDatabase } from '../platform/db/database';
import { encodeShare } from '../mining/shares/journal/share-line';
import type { Running } from '../app/start';
import { backup } from './backup';
import { restore } from './restore';
import { PASSWORD, adminText, askSignIn, fill, script, server, signIn } from './testing/product';
import { postgresDatabase } from '../platform/db/testing/postgres';
import { wrongBalances } from '../money/ledger/ledger';
import { lockFolder } from '../platform/lock';
import { openPayments } from '../money/payouts/open-payments';
import { ledgerHash } from './ledger-hash';
import { newFolder } from '../testing/folder';

describe('a backup', () => {
  const HASH = /[0-9a-f]{64}/;
  let folder: string;
  let running: Running | undefined;
  beforeEach(() => (folder = newFolder()));
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });

  const hashIn = (text: string): string => HASH.exec(text)?.[0] ?? text;

  it('embedded: backed up while it runs, restored: same ledger, sign-ins, uncounted shares and keys', async () => {
    const data = join(folder, 'data');
    const env = { DATA_DIR: data };
    const file = join(folder, 'pool.backup');
    await expect(adminText(env, 'list-users')).rejects.toThrow('There is no pool in');

    const first = await openDatabase({ folder: join(data, 'db') });
    await fill(first);
    await first.close();
    running = await server(env);
    // A segment of an earlier process that no server has read yet.
    const segment = join(data, 'journal', '00112233445566ff-0000000001.jsonl');
    const share = {
      subAccountId: 1,
      algorithm: 'SHA256_ASICBOOST',
      worker: 'late',
      difficulty: 7,
      outcome: 'accepted',
      at: Date.now(),
    } as const;
    writeFileSync(segment, `${encodeShare(share)}\n`);
    const key = readFileSync(join(data, 'secrets.key'), 'utf8');
    const signedIn = (await askSignIn(running.url, 'alice', PASSWORD)).headers.getSetCookie();
    const cookie = signedIn.map((line) => line.split(';', 1)[0]).join('; ');
    const made = await script('backup', [file, '--verify'], env);
    expect(made).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('(3 entries), restored and compared'),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const config = readConfig(env);
    await expect(backup(config, file)).rejects.toThrow('exists already');
    await expect(backup(config, join(data, 'pool.backup'))).rejects.toThrow('inside of DATA_DIR');
    expect(hashIn(made.out)).toBe(hashIn(await adminText(env, 'ledger-hash')));
    expect(readdirSync(folder).sort()).toEqual(['data', 'pool.backup']);

    // Changes after the backup: a new password; the key is lost.
    expect(await adminText(env, 'reset-password', 'alice')).toContain('New password of alice');
    expect(await signIn(running.url, 'alice', PASSWORD)).toBe(422);
    await expect(restore(config, file, { force: true })).rejects.toThrow('is in use by another process');
    await running.stop();
    rmSync(join(data, 'secrets.key'));

    await expect(restore(config, file)).rejects.toThrow('is not empty. With --force');
    const restored = await script('restore', [file, '--force'], env);
    expect(restored).toMatchObject({ code: 0, err: '' });
    expect(hashIn(restored.out)).toBe(hashIn(made.out));
    expect(existsSync(segment)).toBe(true);
    const aside = readdirSync(data).filter((name) => name.startsWith('before-restore-'));
    expect(aside).toHaveLength(1);
    expect(existsSync(join(data, aside[0] ?? '', 'db', 'data', 'PG_VERSION'))).toBe(true);
    expect(readFileSync(join(data, 'secrets.key'), 'utf8')).toBe(key);

    running = await server(env);
    // What was signed out or revoked since the backup does not open again.
    const client = await fetch(`${running.url}/__clerk/v1/client`, { headers: { cookie } });
    expect(await client.json()).toMatchObject({ response: { sessions: [] } });
    expect(await signIn(running.url, 'alice', PASSWORD)).toBe(200);
    await running.stop();
    // It is removed when it is counted.
    expect(existsSync(segment)).toBe(false);
  });

  it('restore reads a backup to its end before it touches anything', async () => {
    const data = join(folder, 'data');
    mkdirSync(join(data, 'db'), { recursive: true });
    writeFileSync(join(folder, 'half'), Buffer.from('1f8b0800000000000003', 'hex'));
    writeFileSync(join(folder, 'text'), 'no backup');
    for (const name of ['half', 'text'])
      await expect(restore(readConfig({ DATA_DIR: data }), join(folder, name), { force: true })).rejects.toThrow(
        'is not a',
      );
    expect(readdirSync(data)).toEqual(['db', 'lock']);
  });
});

describe('a move into the other kind of database', () => {
  let folder: string;
  let target: Database & { url: string };
  let data: string;
  let env: Record<string, string>;
  beforeEach(async () => {
    folder = newFolder();
    data = join(folder, 'data');
    target = await postgresDatabase(2);
    env = { DATA_DIR: data, DATABASE_URL: target.url };
  });
  afterEach(() => target.close());
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
    const { pool } = target;
    await fill(target);
    await openPayments(pool, Date.now() / 1000);
    // Values that a copy could change on its way, and work older than any partition of a new database.
    await pool.query(
      `insert into audit (action, subject, before, after) values ('x', E'a\\\\b\\n"{},NULL', 'null', '{"n": 1.10}');
       insert into telegram_connection (user_id, events, token_hash, session_id, expires_at)
       values (1, '{offline,"a,b"}', 'hash', 'session', now());
       insert into account_10m (sub_account_id, algorithm, at, accepted, shares)
       values (1, 'SCRYPT', now() - interval '39 days', 0.1::float8 + 0.2, 1)`,
    );
    const before = await contents(target);
    const ledger = (await ledgerHash(pool)).hash;
    await expect(move('postgresql')).rejects.toThrow('There is no embedded database');

    // A running server holds it so.
    const lock = await lockFolder(data);
    await expect(move('embedded')).rejects.toThrow('in use by another process');
    await lock.release();
    expect(await move('embedded')).toContain(ledger);
    expect(existsSync(join(data, 'db', 'complete'))).toBe(true);

    await expect(move('postgresql')).rejects.toThrow('has a pool in it already');
    await pool.query('drop schema public, migration cascade; create schema public');
    expect(await move('postgresql')).toContain(ledger);
    expect(existsSync(join(data, 'db'))).toBe(false);
    expect(readdirSync(data).filter((name) => name.startsWith('db.moved-'))).toHaveLength(1);
    expect((await ledgerHash(pool)).hash).toBe(ledger);
    expect(await contents(target)).toEqual(before);
    expect(await wrongBalances(pool)).toBe(0);
    await expect(pool.query('delete from ledger')).rejects.toThrow('append-only');
    await expect(pool.query('insert into worker (sub_account_id, name) values (999999, 1)')).rejects.toThrow();
  });
});
