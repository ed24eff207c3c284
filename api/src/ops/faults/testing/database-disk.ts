/** Helper of fault tests: a PostgreSQL with a disk of its own for data or its log of changes, which can be filled. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, ownFolder, startCluster, whoRuns } from '../../../platform/db/testing/postgres';

const MEGABYTE = 2 ** 20;
const SIZE_MB = 128;

const mount = (folder: string, options = ''): void => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m${options}`, 'tmpfs', folder], { stdio: 'pipe' });
};
const unmount = (folder: string): void => {
  execFileSync('umount', ['--lazy', folder]);
};

/** Why there can be no such disk here; null: there can. */
export function whyNoDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'mount-'));
  try {
    mount(folder);
    unmount(folder);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export type DatabaseDisk = {
  start(): Promise<Cluster>;
  fill(): void;
  makeRoom(): void;
};

/** `of`: what is on that disk. */
export function databaseDisk(of: 'data' | 'log'): DatabaseDisk {
  const folder = ownFolder();
  const disk = join(folder, of);
  const filling = join(disk, 'fill');
  return {
    start: async () => {
      const { uid, gid } = whoRuns();
      mkdirSync(disk);
      mount(disk, `,mode=700${uid === undefined ? '' : `,uid=${uid},gid=${gid}`}`);
      // Small files of the log: it asks for a new one soon.
      const cluster = await startCluster(folder, ['--waldir', join(folder, 'log'), '--wal-segsize=1']);
      return {
        ...cluster,
        remove: async () => {
          await cluster.halt();
          unmount(disk);
          await cluster.remove();
        },
      };
    },
    fill: () => {
      try {
        writeFileSync(filling, Buffer.alloc(SIZE_MB * MEGABYTE));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
        throw error;
      }
      throw new Error('the disk has room left');
    },
    makeRoom: () => rmSync(filling),
  };
}
