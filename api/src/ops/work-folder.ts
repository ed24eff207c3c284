/** The folder in which a backup is made or checked, beside it: on the same disk, and one at a time. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FolderInUse, LOCK_FILE, lockFolder } from '../platform/lock';
import { OpsError } from './failed';

const WORK_FOLDER = '.pool-backup';

/** What a killed backup left there is removed. Throws `OpsError` while another one works there. */
export async function inWorkFolder<T>(folder: string, work: (path: string) => Promise<T>): Promise<T> {
  const path = join(folder, WORK_FOLDER);
  const busy = new OpsError(`Another backup is being made or checked in ${folder}: wait for its end.`);
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
    lock.release();
  }
}
