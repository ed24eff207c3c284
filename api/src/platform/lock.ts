/** One owner of a folder by a kernel lock on its file `lock`, released at any end; its token shows a replaced file. */
import { randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { z } from 'zod';
import { keepTrying } from './keep-trying';
import { OperatorError } from './operator-error';

export const LOCK_FILE = 'lock';
const CHECK_INTERVAL_MS = 1000;
const RETRY_DELAY_MS = 50;

const ownerSchema = z.object({ token: z.string(), pid: z.number(), host: z.string() });
type Owner = z.infer<typeof ownerSchema>;

/** The data, a folder or a database, cannot be this process's; the message says what to do. */
export class DataRefused extends OperatorError {
  override readonly name: string = 'DataRefused';
}

export class FolderInUse extends DataRefused {
  override readonly name = 'FolderInUse';
  constructor(folder: string, owner: Owner | null) {
    const who = owner ? ` (pid ${owner.pid} on ${owner.host})` : '';
    super(`${folder} is in use by another process${who}. ` + 'Stop it first, or give this one a DATA_DIR of its own.');
  }
}

export type FolderLock = { release(): Promise<void> };

export type LockOptions = {
  /** How long to wait for an owner that is about to end. */
  patienceMs?: number;
  /** Called once when another process owns the folder. */
  lost?: () => void;
};

/** Null when no owner has written its name yet. */
function ownerOf(file: string): Owner | null {
  try {
    return ownerSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

function lockFile(fd: number, folder: string): boolean {
  try {
    return tryLock(fd);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DataRefused(
      `${folder} cannot be locked (${reason}). ` +
        'Its filesystem must offer file locks: a local disk, a Docker volume and NFSv4 do.',
    );
  }
}

/** Opens the lock file of the folder, and makes a missing folder. Throws `DataRefused`. */
function openLockFile(folder: string): number {
  try {
    mkdirSync(folder, { recursive: true });
    return openSync(join(folder, LOCK_FILE), 'a', 0o600);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DataRefused(
      `${folder} cannot be made or written (${reason}). Set DATA_DIR to a folder that this user may write.`,
    );
  }
}

/** Locks the folder; waits up to `patienceMs`, then throws `FolderInUse` if another process has it. Throws `DataRefused`. */
export async function lockFolder(folder: string, { patienceMs = 0, lost }: LockOptions = {}): Promise<FolderLock> {
  const fd = openLockFile(folder);
  const file = join(folder, LOCK_FILE);
  try {
    if (!(await keepTrying(patienceMs, async () => lockFile(fd, folder), RETRY_DELAY_MS)))
      throw new FolderInUse(folder, ownerOf(file));
    const own: Owner = { token: randomUUID(), pid: process.pid, host: hostname() };
    ftruncateSync(fd);
    writeSync(fd, JSON.stringify(own));
    // A deleted file has no owner; the next owner writes its own token into a new file.
    const held = (): boolean => (ownerOf(file)?.token ?? own.token) === own.token;
    const watch = setInterval(() => {
      if (held()) return;
      clearInterval(watch);
      lost?.();
    }, CHECK_INTERVAL_MS).unref();
    return {
      release: async () => {
        clearInterval(watch);
        closeSync(fd);
      },
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
