/** Which files of DATA_DIR belong to a backup besides the database, and moving them aside. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { LINEAGE_FILE } from '../platform/db/lineage';
import { LOCK_FILE } from '../platform/lock';
import { COUNTED } from '../mining/shares/journal/kept-segments';
import { LAST_BACKUP_FILE } from './last-backup';
import { SNAPSHOT_FILE } from '../mining/upstreams/snapshot';

/** Excluded: the database, which is copied separately, what is known of it, and files of this machine or of another time. */
const EXCLUDED = new RegExp(
  `^(db|db\\..*|control|mail|${LOCK_FILE}|${LAST_BACKUP_FILE}|${SNAPSHOT_FILE}(\\.new)?|${LINEAGE_FILE}|before-restore-.*|\\.ops-.*)$`,
);

/** Paths below `dataDir` of the files that belong to a backup. */
function filesOf(dataDir: string): string[] {
  if (!existsSync(dataDir)) return [];
  return readdirSync(dataDir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dataDir, join(entry.parentPath, entry.name)))
    .filter((path) => !EXCLUDED.test(path.split('/')[0] ?? '') && !path.startsWith(join('journal', COUNTED)))
    .sort();
}

/** Copies them below `to`. A journal segment that is counted meanwhile disappears: the database has its shares. */
export function copyFiles(dataDir: string, to: string): string[] {
  return filesOf(dataDir).filter((path) => {
    mkdirSync(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    try {
      copyFileSync(join(dataDir, path), join(to, path));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  });
}

/** Whether the folder contains no data of a pool. */
export const isEmpty = (dataDir: string): boolean => !existsSync(join(dataDir, 'db')) && filesOf(dataDir).length === 0;

/** Moves all data into a new folder inside DATA_DIR, and returns its path. */
export function moveAside(dataDir: string, stamp: string): string {
  const aside = join(dataDir, `before-restore-${stamp}`);
  mkdirSync(aside, { mode: 0o700 });
  for (const name of readdirSync(dataDir))
    if (!name.startsWith('before-restore-') && !name.startsWith('.ops-') && name !== 'control' && name !== LOCK_FILE)
      renameSync(join(dataDir, name), join(aside, name));
  return aside;
}
