/** Backups that are made and checked by themselves, and what goes wrong then: on PostgreSQL, with its own programs. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { readConfig } from '../platform/config';
import { postgresOfFile } from '../platform/db/testing/test-database';
import { eventually } from '../testing/eventually';
import { shipped } from '../testing/typescript';
import { packArchive, unpackArchive } from './archive';
import { backup, inWorkFolder } from './backup';
import { noteBackup } from './last-backup';
import { startBackups } from './scheduled-backups';
import { fill } from './testing/product';
import { newFolder } from '../testing/folder';

const DAY_S = 86_400;
const NOW = Date.UTC(2026, 10, 20) / 1000;
const database = postgresOfFile();
let folder: string;
const config = () =>
  readConfig({
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: database.url,
    BACKUP_EVERY: '24',
    BACKUP_DIR: join(folder, 'backups'),
  });
const backups = (): string => join(folder, 'backups');
const scratch = async (): Promise<number> => {
  const { rows } = await database.pool.query("select 1 from pg_database where datname like 'pool\\_verify\\_%'");
  return rows.length;
};

beforeAll(async () => {
  await fill(database);
  await database.pool.query("update app_user set role = 'admin'");
});
beforeEach(() => {
  folder = newFolder();
  for (const name of ['data', 'backups']) mkdirSync(join(folder, name));
});

/** Runs the schedule until its metrics say that a try has ended. */
async function scheduled(ended: (metrics: string) => boolean): Promise<void> {
  const metrics = new Registry();
  const { stop } = startBackups({
    config: config(),
    pool: database.pool,
    log: pino({ level: 'silent' }),
    metrics,
    now: () => NOW,
  });
  try {
    await eventually(async () => ended(await metrics.metrics()), 'a try of a backup', 60_000);
  } finally {
    await stop();
  }
}

it('one is made and checked when it is due; the oldest of the schedule are removed, nothing else', async () => {
  const old = Array.from(
    { length: 14 },
    (_, day) => `pool-2026-11-${String(day + 3).padStart(2, '0')}T00-00-00Z.backup`,
  );
  for (const name of [...old, 'by-hand.backup']) writeFileSync(join(backups(), name), '');
  noteBackup(config().DATA_DIR, new Date((NOW - DAY_S) * 1000));
  const made = 'pool-2026-11-20T00-00-00Z.backup';
  await scheduled(() => !existsSync(join(backups(), old[0] ?? '')));
  expect(readdirSync(backups()).sort()).toEqual(['by-hand.backup', ...old.slice(1), made]);
  expect(statSync(join(backups(), made)).mode & 0o777).toBe(0o600);
  expect(await scratch()).toBe(0);
});

it('a failed one tells each admin once a day, and is a metric', async () => {
  rmSync(backups(), { recursive: true });
  for (let tries = 0; tries < 2; tries += 1) await scheduled((text) => text.endsWith('\nbackup_failed 1\n'));
  const { rows } = await database.pool.query("select values from notification where kind = 'backup_failed'");
  expect(rows).toEqual([{ values: { why: `There is no folder ${backups()}.` } }]);
});

it('a cut file, and one with another ledger, are not taken for backups', async () => {
  const file = join(backups(), 'a');
  const { ledger } = await backup(config(), file, { verify: true });
  await expect(backup(config(), file)).rejects.toThrow('exists already');

  const names = await unpackArchive(file, join(folder, 'data', 'other'));
  const manifest = join(folder, 'data', 'other', 'manifest.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(ledger.hash, 'f'.repeat(64)));
  await packArchive(join(backups(), 'b'), join(folder, 'data', 'other'), names);
  await expect(backup(config(), join(backups(), 'b'), { verify: true })).rejects.toThrow(
    `not the one that was backed up: ${ledger.hash} instead of ffff`,
  );
  truncateSync(file, statSync(file).size - 1000);
  await expect(backup(config(), file, { verify: true })).rejects.toThrow('not a whole one');
  expect(await scratch()).toBe(0);
  expect(readdirSync(backups()).sort()).toEqual(['a', 'b']);
});

it('two at once: the second one says so, and disturbs nothing', async () => {
  await inWorkFolder(backups(), async () => {
    await expect(backup(config(), join(backups(), 'second'))).rejects.toThrow('Another backup is being made');
  });
  expect(readdirSync(backups())).toEqual([]);
});

it('killed midway: there is no file, and the next one removes what is left', async () => {
  const file = join(backups(), 'a');
  const { DATA_DIR } = config();
  const child = spawn(process.execPath, [...shipped('backup'), file], {
    env: { PATH: process.env.PATH, DATA_DIR, DATABASE_URL: database.url },
    stdio: 'ignore',
  });
  const left = join(backups(), '.pool-backup');
  await eventually(async () => existsSync(join(left, 'database')), 'a copy under way', 60_000);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(readdirSync(backups())).toEqual(['.pool-backup']);
  await backup(config(), file);
  expect(readdirSync(backups())).toEqual(['a']);
});

it('a full disk: nothing is left on it', async () => {
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', backups()]).status === 0;
  if (!mounted) return;
  try {
    await expect(backup(config(), join(backups(), 'a'))).rejects.toThrow(/No space left|ENOSPC/);
    expect(readdirSync(backups())).toEqual([]);
  } finally {
    spawnSync('umount', [backups()]);
  }
});

it('a user who may not make databases is told what to do', async () => {
  const name = 'no_createdb';
  await database.pool.query(`create role ${name} login`);
  try {
    const url = new URL(database.url);
    url.username = name;
    const file = join(backups(), 'a');
    await backup(config(), file);
    await expect(backup({ ...config(), DATABASE_URL: url.href }, file, { verify: true })).rejects.toThrow(
      'alter role … createdb',
    );
  } finally {
    await database.pool.query(`drop role ${name}`);
  }
});
