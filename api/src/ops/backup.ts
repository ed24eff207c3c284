/** Writes a backup: one file with the database, the uncounted shares and the keys. */
import { createWriteStream, existsSync, linkSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { inSession } from '../platform/db/connect';
import { oneValue } from '../platform/db/querier';
import { type Manifest, manifestSchema, packArchive, PRIVATE } from './archive';
import { dumpRunning } from './control';
import { copyFiles } from './data-dir';
import { OperatorError } from '../platform/operator-error';
import { noteBackup } from './last-backup';
import { ledgerHash, type LedgerHash } from './ledger-hash';
import { dumpPostgres } from './postgres-tools';
import type { OpsConfig } from './command';
import { withDatabase } from './standalone';
import { syncPath } from '../platform/files';
import { verifyBackup } from './verify-backup';
import { FolderInUse, LOCK_FILE, lockFolder } from '../platform/lock';

const WORK_FOLDER = '.pool-backup';

/** What a killed backup left there is removed. Throws `OperatorError` while another one works there. */
export async function inWorkFolder<T>(folder: string, work: (path: string) => Promise<T>): Promise<T> {
  const path = join(folder, WORK_FOLDER);
  const busy = new OperatorError(`Another backup is being made or checked in ${folder}: wait for its end.`);
  const lock = await lockFolder(path).catch((error: unknown) => {
    throw error instanceof FolderInUse ? busy : error;
  });
  try {
    // The other one has just ended, and has removed the folder.
    if (!existsSync(join(path, LOCK_FILE))) throw busy;
    for (const left of readdirSync(path)) if (left !== LOCK_FILE) rmSync(join(path, left), { recursive: true });
    return await work(path);
  } finally {
    rmSync(path, { recursive: true, force: true });
    await lock.release();
  }
}

/** The hash and the copy are of the same snapshot. */
const copyPostgres = (url: string, file: string): Promise<LedgerHash> =>
  inSession({ connectionString: url }, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local statement_timeout to 0');
    const ledger = await ledgerHash(client);
    await dumpPostgres(url, file, await oneValue<string>(client)`select pg_export_snapshot()`);
    return ledger;
  });

async function copyEmbedded(config: OpsConfig, file: string): Promise<LedgerHash> {
  const running = await dumpRunning(config.DATA_DIR, (message) =>
    pipeline(message, createWriteStream(file, { mode: PRIVATE, flags: 'wx' })),
  );
  if (running !== null) return manifestSchema.shape.ledger.parse(running);
  return withDatabase(config, async ({ dump }) => {
    if (!dump) throw new Error('no embedded database');
    return dump(file, ledgerHash);
  });
}

/** Gives the finished file its name. A link, where there are some: a rename would replace what is there meanwhile. */
function publish(draft: string, target: string): void {
  try {
    linkSync(draft, target);
  } catch (error) {
    if (existsSync(target)) throw error;
    renameSync(draft, target);
  }
}

/**
 * Writes the backup to `file`, readable by its owner only; the server may be running. `verify`: only after it was
 * restored into a scratch database; of a file that exists, only that.
 */
export async function backup(config: OpsConfig, file: string, { verify = false } = {}): Promise<Manifest> {
  const now = new Date();
  const target = resolve(file);
  const there = existsSync(target);
  if (there && !verify) throw new OperatorError(`${target} exists already: a backup does not overwrite.`);
  if (!existsSync(dirname(target))) throw new OperatorError(`There is no folder ${dirname(target)}.`);
  if (!relative(config.DATA_DIR, target).startsWith('..'))
    throw new OperatorError(
      `${target} is inside of DATA_DIR: a backup belongs on another disk, and would be in the next one.`,
    );
  return inWorkFolder(dirname(target), async (work) => {
    if (there) return verifyBackup(config, target, work);
    // Journal first: shares counted while the database is copied are in both, and are counted only once.
    const files = copyFiles(config.DATA_DIR, join(work, 'files')).map((path) => `files/${path}`);
    const ledger = await (config.DATABASE_URL
      ? copyPostgres(config.DATABASE_URL, join(work, 'database'))
      : copyEmbedded(config, join(work, 'database')));
    const manifest: Manifest = {
      format: 1,
      kind: config.DATABASE_URL ? 'postgresql' : 'embedded',
      madeAt: now.toISOString(),
      ledger,
    };
    writeFileSync(join(work, 'manifest.json'), JSON.stringify(manifest), { mode: PRIVATE });
    const draft = join(work, 'backup');
    await packArchive(draft, work, ['manifest.json', 'database', ...files]);
    await syncPath(draft);
    if (verify) await verifyBackup(config, draft, work);
    publish(draft, target);
    await syncPath(dirname(target));
    noteBackup(config.DATA_DIR, now);
    return manifest;
  });
}
