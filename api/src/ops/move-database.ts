/** Moves a stopped pool into another database: embedded, PostgreSQL, or an embedded one of a newer version. */
import { existsSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openDatabase, type Database } from '../platform/db/database';
import { lockServer, type ServerLock } from '../platform/db/server-lock';
import { lockFolder } from '../platform/lock';
import { copyDatabase } from './copy-database';
import { OpsError } from './failed';
import type { LedgerHash } from './ledger-hash';
import type { OpsConfig } from './standalone';

const stampOf = (now: Date): string => now.toISOString().replace(/[:.]/g, '-');

const hasPool = (folder: string): boolean => existsSync(join(folder, 'complete'));

/** Copies between two databases, and closes both. */
async function copyBetween(open: { from(): Promise<Database>; to(): Promise<Database> }): Promise<LedgerHash> {
  const from = await open.from();
  try {
    const to = await open.to();
    try {
      const source = await from.pool.connect();
      const target = await to.pool.connect();
      try {
        return await copyDatabase(source, target);
      } finally {
        source.release();
        target.release();
      }
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

const describe = ({ hash, entries }: LedgerHash): string => `ledger ${hash} (${entries} entries), as it was.`;

/** `to`: which of the two, the embedded database of DATA_DIR and the PostgreSQL of DATABASE_URL, is the new one. */
async function moveDatabase({ DATA_DIR, DATABASE_URL }: OpsConfig, to: string, now: Date): Promise<string> {
  if (to !== 'postgresql' && to !== 'embedded') throw new OpsError(`"${to}" is neither postgresql nor embedded.`);
  if (!DATABASE_URL) throw new OpsError('Name the PostgreSQL to move to, or from, in DATABASE_URL.');
  const folder = join(DATA_DIR, 'db');
  if (to === 'postgresql' && !hasPool(folder)) throw new OpsError(`There is no embedded database in ${DATA_DIR}.`);
  if (to === 'embedded' && existsSync(folder))
    throw new OpsError(`${folder} exists already. Move it aside: an embedded database is moved to a new folder.`);
  const lock = await lockFolder(DATA_DIR);
  let serverLock: ServerLock | null = null;
  try {
    serverLock = await lockServer({ url: DATABASE_URL });
    const embedded = () => openDatabase({ folder });
    const postgresql = () => openDatabase({ url: DATABASE_URL, connections: 1 });
    if (to === 'embedded') {
      const ledger = await copyBetween({ from: postgresql, to: embedded });
      return `Moved to ${folder}: ${describe(ledger)} Start without DATABASE_URL.`;
    }
    const ledger = await copyBetween({ from: embedded, to: postgresql });
    const aside = `${folder}.moved-${stampOf(now)}`;
    renameSync(folder, aside);
    return `Moved to PostgreSQL: ${describe(ledger)} Start with this DATABASE_URL. The old database is in ${aside}.`;
  } finally {
    await serverLock?.release();
    await lock.release();
  }
}

/** `engine`: folder of the PGlite package that reads the old database. */
async function upgradeDatabase({ DATA_DIR, DATABASE_URL }: OpsConfig, engine: string, now: Date): Promise<string> {
  if (DATABASE_URL) throw new OpsError('This is for the embedded database: run it without DATABASE_URL.');
  const folder = join(DATA_DIR, 'db');
  if (!hasPool(folder)) throw new OpsError(`There is no embedded database in ${DATA_DIR}.`);
  const engineFolder = resolve(engine);
  if (!existsSync(join(engineFolder, 'dist', 'index.js')))
    throw new OpsError(`${engineFolder} is not the folder of a package @electric-sql/pglite.`);
  const lock = await lockFolder(DATA_DIR);
  try {
    const next = `${folder}.new-${stampOf(now)}`;
    const ledger = await copyBetween({
      from: () => openDatabase({ folder, engine: engineFolder }),
      to: () => openDatabase({ folder: next }),
    });
    const aside = `${folder}.before-upgrade-${stampOf(now)}`;
    renameSync(folder, aside);
    renameSync(next, folder);
    return `Brought forward: ${describe(ledger)} The old database is in ${aside}.`;
  } finally {
    await lock.release();
  }
}

type Move = { takes: string; what: string; run(config: OpsConfig, argument: string, now: Date): Promise<string> };

/** Commands that need the server to be stopped. */
export const MOVES: Record<string, Move> = {
  'move-database': {
    takes: 'postgresql|embedded',
    what: 'moves a stopped pool into the empty PostgreSQL of DATABASE_URL, or from it into DATA_DIR',
    run: moveDatabase,
  },
  'upgrade-database': {
    takes: '<folder>',
    what: 'brings an embedded database forward that the PGlite package in the folder made',
    run: upgradeDatabase,
  },
};

/** Runs one of `MOVES`; null when it is another command. Throws `OpsError`, or `FolderInUse` while a server runs. */
export async function runMove(
  config: OpsConfig,
  [name = '', ...args]: readonly string[],
  now = new Date(),
): Promise<string | null> {
  const move = Object.hasOwn(MOVES, name) ? MOVES[name] : undefined;
  if (!move) return null;
  const [argument, ...more] = args;
  if (argument === undefined || more.length) throw new OpsError(`npm run admin -- ${name} ${move.takes}`);
  return move.run(config, argument, now);
}
