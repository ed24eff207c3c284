/** Files of the folder of remotes, which teams write: regular ones of bounded size inside of it, with one name. */
import { constants } from 'node:fs';
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

const KIB = 1024;
/** Bytes of a file that is read whole, by the end of its path. */
const MOST: readonly (readonly [RegExp, number])[] = [
  [/\/current\.json$/, 64 * KIB],
  // Every page holds the manifests of all remotes.
  [/\/manifest\.json$/, 128 * KIB],
  [/\/uses\.txt$/, 256 * KIB],
  // Everybody's texts are those of all remotes.
  [/\/locales\/[^/]+$/, 256 * KIB],
];
const MAX_BYTES = 16 * KIB * KIB;
export const mostBytes = (path: string): number => MOST.find(([end]) => end.test(path))?.[1] ?? MAX_BYTES;

/** How a file of others is opened: no link is followed, and a pipe does not wait for its other end. */
export const NO_LINK = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export type Opened = { file: FileHandle; size: number; mtimeMs: number };

/** `path`: below `root`, `<name>/<version>/<file>`; `root` may be a link. Rejects with ENOENT where it is not there. */
export async function openOwn(root: string, path: string): Promise<Opened> {
  const refused = (why: string): Error => new Error(`${path} ${why}`);
  const at = join(await realpath(root), path);
  const file = await open(at, constants.O_RDONLY | NO_LINK).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ELOOP' ? refused('is a link') : error;
  });
  try {
    const opened = await file.stat();
    if (!opened.isFile()) throw refused('is no file');
    if (opened.nlink > 1) throw refused('has a second name: a hard link');
    // A folder on the way may be a link, also one that was put there just now.
    const named = await stat(at);
    if ((await realpath(at)) !== at || named.ino !== opened.ino || named.dev !== opened.dev)
      throw refused('is behind a link');
    return { file, size: opened.size, mtimeMs: opened.mtimeMs };
  } catch (error) {
    await file.close();
    throw error;
  }
}

export async function readOwn(root: string, path: string): Promise<Buffer> {
  const { file, size } = await openOwn(root, path);
  try {
    if (size > mostBytes(path)) throw new Error(`${path} is larger than ${mostBytes(path)} bytes`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

export const isAbsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
/** Handler of a failed read: null where the file is not there; throws any other error. */
export function absent(error: unknown): null {
  if (isAbsent(error)) return null;
  throw error;
}
