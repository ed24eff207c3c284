/**
 * One owner of a folder at a time. The lock is a listening socket, so the system itself releases it when its owner
 * dies in whatever way; connecting to it tells the owner's process id. On Linux the socket is abstract (no file is
 * left behind); elsewhere it is a file whose dead owner refuses connections.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
  constructor(
    readonly folder: string,
    readonly owner: string,
  ) {
    super(
      `${folder} is in use by another process${owner && ` (pid ${owner})`}. Stop it first, or give this one a DATA_DIR of its own.`,
    );
  }
}

export type FolderLock = { release(): Promise<void> };

const address = (folder: string): string => {
  const id = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32);
  return process.platform === 'linux' ? `\0pool-${id}` : join(tmpdir(), `pool-${id}.lock`);
};

const listen = (path: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.end(String(process.pid));
    });
    server.once('error', reject);
    server.listen(path, () => resolve(server.unref()));
  });

/** Process id of the owner; null when nobody listens any more. */
const ownerOf = (path: string): Promise<string | null> =>
  new Promise((resolve) => {
    let pid = '';
    const socket = connect(path);
    socket.setTimeout(1000, () => socket.destroy());
    socket.on('data', (data) => {
      pid += data.toString();
    });
    socket.on('error', () => resolve(null));
    socket.on('close', () => resolve(pid));
  });

/** Takes the lock, waiting up to `patienceMs` for an owner that is about to go; then throws `FolderInUse`. */
export async function lockFolder(folder: string, patienceMs = 0): Promise<FolderLock> {
  mkdirSync(folder, { recursive: true });
  const path = address(folder);
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      const server = await listen(path);
      return {
        release: () =>
          new Promise((resolve) => {
            server.close(() => resolve());
          }),
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      const owner = await ownerOf(path);
      if (owner === null && process.platform !== 'linux') rmSync(path, { force: true });
      else if (Date.now() >= deadline) throw new FolderInUse(folder, owner ?? '');
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    }
  }
}
