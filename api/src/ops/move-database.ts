/** Moves a stopped pool into another database: embedded or PostgreSQL. */
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, type Database } from '../platform/db/database';
import { lockServer, type ServerLock } from '../platform/db/server-lock';
import { lockFolder } from '../platform/lock';
import { copyDatabase } from './copy-database';
import { OpsError } from './failed';
import type { LedgerHash } from './ledger-hash';
import type { OpsConfig } from './command';

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
async function moveDatabase({ DATA_DIR, DATABASE_URL }: OpsConfig, to: string): Promise<string> {
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
    const aside = `${folder}.moved-${new Date().toISOString().replace(/[:.]/g, '-')}`;
    renameSync(folder, aside);
    return `Moved to PostgreSQL: ${describe(ledger)} Start with this DATABASE_URL. The old database is in ${aside}.`;
  } finally {
    await serverLock?.release();
    await lock.release();
  }
}

/** The command that needs the server to be stopped. */
export const MOVES = {
  'move-database': {
    takes: 'postgresql|embedded',
    what: 'moves a stopped pool into the empty PostgreSQL of DATABASE_URL, or from it into DATA_DIR',
  },
};

/** Null: another command. Throws `OpsError`, or `FolderInUse` while a server runs. */
export async function runMove(config: OpsConfig, [name, to, ...more]: readonly string[]): Promise<string | null> {
  if (name !== 'move-database') return null;
  if (to === undefined || more.length) throw new OpsError(`npm run admin -- ${name} ${MOVES[name].takes}`);
  return moveDatabase(config, to);
}
