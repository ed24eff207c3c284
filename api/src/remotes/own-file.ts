/** Files of the folder of remotes, which teams write: regular ones of bounded size inside of it, no links. */
import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_BYTES = 16 * 1024 * 1024;
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** Whether the file is a link or behind one. `root`: the folder of remotes, which may be one. */
export async function isLinked(root: string, path: string): Promise<boolean> {
  const own = await realpath(root);
  const found = await realpath(join(own, path)).catch(() => null);
  return found !== null && found !== join(own, path);
}

/** `path`: below `root`, `<name>/<version>/<file>`. Rejects with ENOENT where it is not there. */
export async function readOwn(root: string, path: string, maxBytes = MAX_BYTES): Promise<Buffer> {
  const refused = (why: string): Error => new Error(`${path} ${why}`);
  const at = join(await realpath(root), path);
  const file = await open(at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ELOOP' ? refused('is a link') : error;
  });
  try {
    const opened = await file.stat();
    if (!opened.isFile()) throw refused('is no file');
    if (opened.size > maxBytes) throw refused(`is larger than ${maxBytes} bytes`);
    // A folder on the way may be a link, also one that was put there just now.
    const named = await stat(at);
    if ((await isLinked(root, path)) || named.ino !== opened.ino || named.dev !== opened.dev)
      throw refused('is behind a link');
    return await file.readFile();
  } finally {
    await file.close();
  }
}
