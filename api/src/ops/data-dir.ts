/** What of DATA_DIR belongs into a backup beside the database, and how it is moved aside. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { LOCK_FILE } from '../lock';

/** The database itself is copied its own way; the rest of these is of this machine, or of another time. */
const LEFT_OUT = new RegExp(`^(db|db\\..*|control|${LOCK_FILE}|before-restore-.*|\\.ops-.*)$`);

/** Paths below `dataDir` of the files that belong to a backup. */
function filesOf(dataDir: string): string[] {
  if (!existsSync(dataDir)) return [];
  return readdirSync(dataDir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dataDir, join(entry.parentPath, entry.name)))
    .filter((path) => !LEFT_OUT.test(path.split('/')[0] ?? ''))
    .sort();
}

/** Copies them below `to`. A segment of the journal that is counted meanwhile goes: the database has its shares. */
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

/** Whether anything of a pool is in it. */
export const isEmpty = (dataDir: string): boolean => !existsSync(join(dataDir, 'db')) && filesOf(dataDir).length === 0;

/** Moves all of a pool into a folder of its own beside it, and answers its path. */
export function moveAside(dataDir: string, stamp: string): string {
  const aside = join(dataDir, `before-restore-${stamp}`);
  mkdirSync(aside, { mode: 0o700 });
  for (const name of readdirSync(dataDir))
    if (!name.startsWith('before-restore-') && !name.startsWith('.ops-') && name !== 'control' && name !== LOCK_FILE)
      renameSync(join(dataDir, name), join(aside, name));
  return aside;
}
