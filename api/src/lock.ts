/**
 * One owner of a folder at a time. The lock is the kernel's, on the file `lock` inside the folder: it holds for
 * everybody who reaches that file, whatever the path, mount or container, and the kernel releases it when its owner
 * dies in whatever way. No clock is compared, and a paused owner stays the owner. The file itself stays: it names its
 * last owner with a token, so that an owner whose file was deleted and made anew by another one notices.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { z } from 'zod';

/** Name of the file, in each folder that has one owner. */
export const LOCK_FILE = 'lock';
const CHECK_EVERY_MS = 1000;
const TRY_AGAIN_MS = 50;

const ownerSchema = z.object({ token: z.string(), pid: z.number(), host: z.string() });
type Owner = z.infer<typeof ownerSchema>;

/** The folder cannot be this process's; the message says what to do. */
export class FolderRefused extends Error {
  override readonly name: string = 'FolderRefused';
}

export class FolderInUse extends FolderRefused {
  override readonly name = 'FolderInUse';
  constructor(folder: string, owner: Owner | null) {
    super(
      `${folder} is in use by another process${owner ? ` (pid ${owner.pid} on ${owner.host})` : ''}. Stop it first, or give this one a DATA_DIR of its own.`,
    );
  }
}

export type FolderLock = {
  /** False once another process has the folder: nothing in it may be written any more. */
  held(): boolean;
  release(): void;
};

export type LockOptions = {
  /** How long to wait for an owner that is about to go. */
  patienceMs?: number;
  /** Called once when another process is found to have the folder. */
  lost?: () => void;
};

/** Null: nobody has written its name yet. */
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
    throw new FolderRefused(
      `${folder} cannot be locked (${error instanceof Error ? error.message : String(error)}). Its filesystem must offer file locks: a local disk, a Docker volume and NFSv4 do.`,
    );
  }
}

/** Takes the lock, waiting up to `patienceMs`; throws `FolderInUse` while somebody else has it. */
export async function lockFolder(folder: string, { patienceMs = 0, lost }: LockOptions = {}): Promise<FolderLock> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, LOCK_FILE);
  const fd = openSync(file, 'a', 0o600);
  try {
    const deadline = performance.now() + patienceMs;
    while (!lockFile(fd, folder)) {
      if (performance.now() >= deadline) throw new FolderInUse(folder, ownerOf(file));
      await new Promise((resolve) => {
        setTimeout(resolve, TRY_AGAIN_MS);
      });
    }
    const own: Owner = { token: randomUUID(), pid: process.pid, host: hostname() };
    ftruncateSync(fd);
    writeSync(fd, JSON.stringify(own));
    // A deleted file is nobody's; the next owner writes its own token into the new one.
    const held = (): boolean => (ownerOf(file)?.token ?? own.token) === own.token;
    const watch = setInterval(() => {
      if (held()) return;
      clearInterval(watch);
      lost?.();
    }, CHECK_EVERY_MS).unref();
    return {
      held,
      release: () => {
        clearInterval(watch);
        closeSync(fd);
      },
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
