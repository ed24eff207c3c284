/** Restores a backup to DATA_DIR and DATABASE_URL; existing data is moved aside, never deleted. */
import {
  appendFileSync,
  existsSync,
  openAsBlob,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type pg from 'pg';
import { inSession } from '../platform/db/connect';
import { type DatabaseOptions, inDatabase } from '../platform/db/database';
import { lockServer, type ServerLock } from '../platform/db/server-lock';
import { SIGNING_KEY } from '../identity';
import { lockFolder } from '../platform/lock';
import { manifestSchema, unpackArchive, type Manifest } from './archive';
import { isEmpty, moveAside } from './data-dir';
import { OperatorError } from '../platform/operator-error';
import { ledgerHash } from './ledger-hash';
import { PAYMENT_LOG } from '../money/payouts/payment-log';
import { restorePostgres } from './postgres-tools';
import type { OpsConfig } from './command';
import { sql, valuesOf } from '../platform/db/querier';

/** `aside`: where the previous data is now. */
export type Restored = Manifest & { aside: string[] };

const SCHEMAS = ['public', 'migration'];

const preparePostgres = (url: string, force: boolean, stamp: string): Promise<string[]> =>
  inSession({ connectionString: url }, async (client) => {
    const names = await valuesOf<string>(client)`
      select distinct n.nspname
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any(${SCHEMAS}) and c.relkind in ('r', 'p')`;
    if (names.length === 0) return [];
    if (!force)
      throw new OperatorError(
        'The database is not empty. With --force what is in it is moved into a schema of its own, and stays.',
      );
    const moved: string[] = [];
    await client.query('begin');
    for (const name of names) {
      const to = `before_restore_${stamp.replace(/\D/g, '')}_${name}`;
      await client.query(`alter schema ${name} rename to ${to}`);
      moved.push(`schema ${to}`);
    }
    await client.query('create schema if not exists public');
    await client.query('commit');
    return moved;
  });

export async function writeEmbedded(folder: string, file: string, stamp: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const db = await PGlite.create({ dataDir: join(folder, 'data'), loadDataDir: await openAsBlob(file) });
  await db.close();
  // Marks the folder's first start as complete (db/embedded-child.ts).
  writeFileSync(join(folder, 'complete'), `restored ${stamp}\n`);
}

/** Throws `OperatorError` unless the restored database has the ledger that was backed up; then does `after` in it. */
export const checkLedger = (
  place: DatabaseOptions,
  { ledger }: Manifest,
  after?: (pool: pg.Pool) => Promise<void>,
): Promise<void> =>
  inDatabase({ ...place, connections: 2 }, async ({ pool }) => {
    const { hash } = await ledgerHash(pool, ledger.lastId);
    if (hash !== ledger.hash)
      throw new OperatorError(
        `The restored ledger is not the one that was backed up: ${hash} instead of ${ledger.hash}.`,
      );
    await after?.(pool);
  });

/** What was signed out or revoked since the backup does not open again. `keepTokens`: watcher links and API keys do. */
async function shutDoors(pool: pg.Pool, keepTokens: boolean): Promise<void> {
  await pool.query(sql`delete from setting where name = ${SIGNING_KEY}`);
  await pool.query("update identity_session set status = 'revoked' where status = 'active'");
  await pool.query("update organization_invitation set status = 'revoked' where status = 'pending'");
  if (!keepTokens) await pool.query('update access_token set revoked_at = now() where revoked_at is null');
}

/** Throws `DataRefused` while a server runs on the data; changes nothing before the backup was read to its end. */
export async function restore(
  config: OpsConfig,
  file: string,
  { force = false, keepTokens = false } = {},
): Promise<Restored> {
  const { DATA_DIR, DATABASE_URL } = config;
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  const lock = await lockFolder(DATA_DIR);
  let serverLock: ServerLock | null = null;
  const work = mkdtempSync(join(DATA_DIR, '.ops-'));
  try {
    const names = await unpackArchive(resolve(file), work);
    const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(work, 'manifest.json'), 'utf8')));
    const kind = DATABASE_URL ? 'postgresql' : 'embedded';
    if (manifest.kind !== kind) {
      const kindOfBackup =
        manifest.kind === 'embedded'
          ? 'an embedded database: restore it without DATABASE_URL'
          : 'a PostgreSQL: name the one to restore to in DATABASE_URL';
      throw new OperatorError(`This backup is of ${kindOfBackup}.`);
    }
    const empty = isEmpty(DATA_DIR);
    if (!empty && !force)
      throw new OperatorError(
        `${DATA_DIR} is not empty. With --force what is in it is moved into a folder beside, and stays.`,
      );
    if (DATABASE_URL) serverLock = await lockServer({ url: DATABASE_URL });
    const aside = DATABASE_URL ? await preparePostgres(DATABASE_URL, force, stamp) : [];
    const previousLog = join(DATA_DIR, PAYMENT_LOG);
    const payments = existsSync(previousLog) ? readFileSync(previousLog) : null;
    if (!empty) aside.push(moveAside(DATA_DIR, stamp));

    if (DATABASE_URL) await restorePostgres(DATABASE_URL, join(work, 'database'));
    else await writeEmbedded(join(DATA_DIR, 'db'), join(work, 'database'), stamp);
    for (const name of names) {
      if (!name.startsWith('files/')) continue;
      const to = join(DATA_DIR, name.slice('files/'.length));
      mkdirSync(dirname(to), { recursive: true });
      renameSync(join(work, name), to);
    }
    // What was paid since the backup stays known: the server puts it back when it starts.
    if (payments) appendFileSync(previousLog, payments, { mode: 0o600, flush: true });

    await checkLedger({ url: DATABASE_URL, folder: join(DATA_DIR, 'db') }, manifest, (pool) =>
      shutDoors(pool, keepTokens),
    );
    return { ...manifest, aside };
  } finally {
    rmSync(work, { recursive: true, force: true });
    await serverLock?.release();
    await lock.release();
  }
}
