/** Backup and restore as processes, with both databases (security.md: backup, restore). */
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
import pg from 'pg';
import { openDatabase } from '../platform/db/database';
import { lockServer } from '../platform/db/server-lock';
import { startCluster, type Cluster } from '../platform/db/testing/postgres';
import { encodeShare } from '../mining/shares/journal/share-line';
import type { Running } from '../app/start';
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
  const ledger = async (): Promise<string> => hashIn(await adminText(env, 'ledger-hash'));
  expect(await script('admin', ['list-users'], env)).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no pool in'),
  });

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
  const made = await script('backup', [file], env);
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await script('backup', [file], env)).toMatchObject({
    code: 1,
    err: expect.stringContaining('exists already'),
  });
  expect(await script('backup', [join(data, 'pool.backup')], env)).toMatchObject({
    code: 1,
    err: expect.stringContaining('inside of DATA_DIR'),
  });
  const before = await ledger();
  expect(before).toBe(hashIn(made.out));
  expect(before).toMatch(HASH);
  expect(await script('backup', [file, '--verify'], env)).toMatchObject({
    code: 0,
    out: expect.stringContaining(`${before} (3 entries), restored and compared`),
  });
  expect(readdirSync(folder).sort()).toEqual(['data', 'pool.backup']);

  // Changes after the backup: a payment may open; a new password; the key is lost.
  expect(await adminText(env, 'reset-password', 'alice')).toContain('New password of alice');
  expect(await signIn(running.url, 'alice', PASSWORD)).toBe(422);
  expect(await script('restore', [file, '--force'], env)).toMatchObject({
    code: 1,
    err: expect.stringContaining('is in use by another process'),
  });
  await running.stop();
  const changed = await openDatabase({ folder: join(data, 'db') });
  await changed.pool.query(
    `insert into ledger (party, sub_account_id, kind, amount_sat, ref)
     values ('account', 1, 'bonus', 5, 'x'), ('pool', null, 'bonus', -5, 'x')`,
  );
  await changed.close();
  rmSync(join(data, 'secrets.key'));
  expect(await ledger()).not.toBe(before);

  expect(await script('restore', [file], env)).toMatchObject({
    code: 1,
    err: expect.stringContaining('is not empty. With --force'),
  });
  const restored = await script('restore', [file, '--force'], env);
  expect(restored).toMatchObject({ code: 0, err: '' });
  expect(hashIn(restored.out)).toBe(before);
  expect(await ledger()).toBe(before);
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
  expect(existsSync(segment)).toBe(false);
  const last = await openDatabase({ folder: join(data, 'db') });
  expect(
    (
      await last.pool.query(
        "select s.accepted from share_1d s join worker w on w.id = s.worker_id where w.name = 'late'",
      )
    ).rows,
  ).toEqual([{ accepted: 7 }]);
  await last.close();
});

it('restore reads a backup to its end before it touches anything', async () => {
  const data = join(folder, 'data');
  mkdirSync(join(data, 'db'), { recursive: true });
  writeFileSync(join(folder, 'half'), Buffer.from('1f8b0800000000000003', 'hex'));
  writeFileSync(join(folder, 'text'), 'no backup');
  for (const name of ['half', 'text'])
    expect(await script('restore', [join(folder, name), '--force'], { DATA_DIR: data })).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not a'),
    });
  expect(readdirSync(data)).toEqual(['db', 'lock']);
});

describe('on PostgreSQL', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('backed up and restored into another database, and over one whose server has stopped', async () => {
    const data = join(folder, 'data');
    const copyUrl = cluster.url.replace('/postgres?', '/copy?');
    const client = new pg.Client({ connectionString: cluster.url });
    await client.connect();
    await client.query('create database copy');
    await client.end();
    const file = join(folder, 'pool.backup');
    const database = await openDatabase({ url: cluster.url });
    await fill(database);
    const made = await script('backup', [file], { DATA_DIR: data, DATABASE_URL: cluster.url });
    expect(made).toMatchObject({ code: 0, err: '' });
    await database.close();

    const env = { DATA_DIR: join(folder, 'other'), DATABASE_URL: copyUrl };
    expect(await script('restore', [file], { DATA_DIR: env.DATA_DIR })).toMatchObject({
      code: 1,
      err: expect.stringContaining('DATABASE_URL'),
    });
    const restored = await script('restore', [file], env);
    expect(restored).toMatchObject({ code: 0, err: '' });
    expect(hashIn(restored.out)).toBe(hashIn(made.out));
    expect(hashIn(await adminText(env, 'ledger-hash'))).toBe(hashIn(made.out));

    const busy = await lockServer({ url: copyUrl });
    expect(await script('restore', [file, '--force'], env)).toMatchObject({
      code: 1,
      err: expect.stringContaining('The database is in use by another process of a pool (pid '),
    });
    await busy.release();
    expect(await script('restore', [file], env)).toMatchObject({ code: 1, err: expect.stringContaining('not empty') });
    expect((await script('restore', [file, '--force'], env)).out).toContain('before_restore_');
    const copy = await openDatabase({ url: copyUrl });
    expect((await copy.pool.query('select count(*) as n from earning')).rows).toEqual([{ n: 1 }]);
    expect(
      (await copy.pool.query("select count(*) as n from pg_namespace where nspname like 'before_restore_%'")).rows,
    ).toEqual([{ n: 2 }]);
    // Append-only tables are so in the copy too.
    await expect(copy.pool.query('delete from ledger')).rejects.toThrow('append-only');
    await copy.close();
  });
});
