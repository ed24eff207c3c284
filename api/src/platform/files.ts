/** Calls of `node:fs` as promises. They run outside of the loop, so that a slow disk does not stop it. */
import fs from 'node:fs';

const called = <T = void>(call: (done: (error: Error | null, value?: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    call((error, value) => (error ? reject(error) : resolve(value as T)));
  });

export const openFile = (path: string, flags: string): Promise<number> => called((done) => fs.open(path, flags, done));
export const closeFile = (fd: number): Promise<void> => called((done) => fs.close(fd, done));
export const fdatasync = (fd: number): Promise<void> => called((done) => fs.fdatasync(fd, done));
export const ftruncate = (fd: number, bytes: number): Promise<void> => called((done) => fs.ftruncate(fd, bytes, done));

/** Appends all of `data`. A part may be written when it rejects. */
export async function writeAll(fd: number, data: Buffer): Promise<void> {
  for (let written = 0; written < data.length;)
    written += await called<number>((done) => fs.write(fd, data, written, data.length - written, null, done));
}

/** Syncs a file, or a folder: names of new files are on the disk only after a sync of their folder. */
export async function syncPath(path: string): Promise<void> {
  const fd = await openFile(path, 'r');
  try {
    await called((done) => fs.fsync(fd, done));
  } finally {
    await closeFile(fd);
  }
}

/** Replaces or makes a file, synced: else it is as before. The folder is not synced. Returns the open file. */
export async function replaceFile(path: string, data: Buffer, draft = `${path}.draft`): Promise<number> {
  const fd = await openFile(draft, 'w');
  try {
    await writeAll(fd, data);
    await fdatasync(fd);
    await fs.promises.rename(draft, path);
    return fd;
  } catch (error) {
    await closeFile(fd);
    await fs.promises.rm(draft, { force: true });
    throw error;
  }
}

/** Replaces a file as `replaceFile` does, and closes it. */
export const writeWhole = async (path: string, data: Buffer, draft?: string): Promise<void> =>
  closeFile(await replaceFile(path, data, draft));
