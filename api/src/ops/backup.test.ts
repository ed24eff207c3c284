/** Backup and restore with both databases, once as processes (security.md: backup, restore). */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../platform/config';
import { openDatabase } from '../platform/db/database';
import { lockServer } from '../platform/db/server-lock';
import { newDatabase, postgresDatabase } from '../platform/db/testing/postgres';
import { encodeShare } from '../mining/shares/journal/share-line';
import type { Running } from '../app/start';
import { backup } from './backup';
import { restore } from './restore';
import { adminText, askSignIn, fill, PASSWORD, script, server, signIn } from './testing/product';

const HASH = /[0-9a-f]{64}/;
let folder: string;
let running: Running | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ops-'));
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  rmSync(folder, { recursive: true, force: true });
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
  expect(made).toMatchObject({ code: 0, err: '', out: expect.stringContaining('(3 entries), restored and compared') });
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

it('PostgreSQL: backed up and restored into another database, and over one whose server has stopped', async () => {
  const database = await postgresDatabase();
  const other = await newDatabase(database.url);
  try {
    await fill(database);
    await other.pool.query('drop schema public, migration cascade; create schema public');
    const file = join(folder, 'pool.backup');
    const made = await backup(readConfig({ DATA_DIR: join(folder, 'data'), DATABASE_URL: database.url }), file);

    const env = { DATA_DIR: join(folder, 'other'), DATABASE_URL: other.url };
    const config = readConfig(env);
    await expect(restore(readConfig({ DATA_DIR: env.DATA_DIR }), file)).rejects.toThrow('DATABASE_URL');
    expect((await restore(config, file)).ledger).toEqual(made.ledger);
    expect(hashIn(await adminText(env, 'ledger-hash'))).toBe(made.ledger.hash);

    const busy = await lockServer({ url: other.url });
    await expect(restore(config, file, { force: true })).rejects.toThrow(
      'The database is in use by another process of a pool (pid ',
    );
    await busy.release();
    await expect(restore(config, file)).rejects.toThrow('not empty');
    expect((await restore(config, file, { force: true })).aside.join()).toContain('before_restore_');
    expect((await other.pool.query('select count(*) as n from earning')).rows).toEqual([{ n: 1 }]);
    // Append-only tables are so in the copy too.
    await expect(other.pool.query('delete from ledger')).rejects.toThrow('append-only');
  } finally {
    await other.close();
    await database.close();
  }
});
