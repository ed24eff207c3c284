/** One owner of a folder over other paths; killed and paused owners. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { FolderInUse, LOCK_FILE, lockFolder } from './lock';
import { TYPESCRIPT } from '../testing/typescript';
import { newFolder } from '../testing/folder';

/**
 * Script of a child process: locks a folder and prints `owner`, or prints the error; prints `lost`; ends with its
 * input.
 */
const OWNER = `
  import { lockFolder } from ${JSON.stringify(join(__dirname, 'lock.ts'))};
  try {
    await lockFolder(process.argv[1], { lost: () => process.stdout.write('lost\\n') });
    process.stdout.write('owner\\n');
  } catch (error) {
    process.stdout.write(error.name + '\\n');
    process.exit(3);
  }
  process.stdin.on('end', () => process.exit(0)).resume();
`;

let folder: string;
const running = new Set<ChildProcess>();
beforeEach(() => (folder = newFolder()));
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

type Claimant = { child: ChildProcess; said(word: string): Promise<void>; ended: Promise<unknown> };

/** `around`: a command that runs it. */
function claim(path: string, around: readonly string[] = []): Claimant {
  const program = [process.execPath, ...TYPESCRIPT, '--input-type=module', '--eval', OWNER, '--', path];
  const [file = '', ...args] = [...around, ...program];
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  running.add(child);
  let text = '';
  const ended = new Promise((resolve) => {
    child.once('close', () => {
      running.delete(child);
      resolve(undefined);
    });
  });
  return {
    child,
    ended,
    said: (word) =>
      new Promise((resolve, reject) => {
        const look = (data: Buffer | string): void => {
          text += data.toString();
          if (text.split('\n').includes(word)) resolve();
        };
        child.stdout?.on('data', look);
        child.once('close', () => reject(new Error(`ended without "${word}": ${text}`)));
        look('');
      }),
  };
}

it('refuses a second owner over another path, also in this process, and is free after a release', async () => {
  const other = join(folder, 'link');
  mkdirSync(join(folder, 'data'));
  symlinkSync(join(folder, 'data'), other);
  const lock = await lockFolder(join(folder, 'data'));
  await expect(lockFolder(other)).rejects.toThrow(FolderInUse);
  await expect(lockFolder(other)).rejects.toThrow(`(pid ${process.pid} on `);
  await claim(other).said('FolderInUse');
  await lock.release();
  const next = await lockFolder(other);
  await next.release();
});

/** Runs a process in its own namespaces, like a container: without a common network. */
const NAMESPACES = ['unshare', '--map-root-user', '--net', '--mount'];
const canUnshare = spawnSync(NAMESPACES[0] ?? '', [...NAMESPACES.slice(1), 'true']).status === 0;

(canUnshare ? it : it.skip)('refuses a second container on the same volume', async () => {
  const [volume, mounted] = [join(folder, 'volume'), join(folder, 'mounted')];
  mkdirSync(mounted);
  const lock = await lockFolder(volume);
  const mount = ['sh', '-c', 'mount --bind "$1" "$2" && shift 2 && exec "$@"', 'sh', volume, mounted];
  await claim(mounted, [...NAMESPACES, ...mount]).said('FolderInUse');
  await lock.release();
});

it('is free after kill -9, and can wait for an owner to end', async () => {
  const first = claim(folder);
  await first.said('owner');
  const waiting = lockFolder(folder, { patienceMs: 60_000 });
  first.child.kill('SIGKILL');
  await first.ended;
  await (await waiting).release();
  await claim(folder).said('owner');
});

it('notifies an owner whose file was moved and replaced by another process', async () => {
  const first = claim(folder);
  await first.said('owner');
  first.child.kill('SIGSTOP');
  renameSync(join(folder, LOCK_FILE), join(folder, 'moved'));
  const second = await lockFolder(folder);
  first.child.kill('SIGCONT');
  await first.said('lost');
  await second.release();
});
