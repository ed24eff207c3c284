/**
 * Simulates what a power cut leaves of a folder: all synced data, and a random part of the rest. Contents are on the
 * disk once their file is synced, names once their folder is synced; an unsynced rename happened or did not. A sync
 * that fails drops what it covered, as Linux does: a later one that succeeds does not bring it onto the disk. Also ends
 * processes: what they have asked of the disk is never answered.
 */
import fs, {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** A file, whatever its name. */
type State = {
  /** What is on the disk. */
  synced: Buffer;
  /** Bytes that a failed sync has dropped. */
  lost: { from: number; to: number } | null;
};
type Done<T = void> = (error: Error | null, value?: T) => void;
type WriteBytes = (
  fd: number,
  data: Buffer | string,
  from: number,
  length: number,
  at: null,
  done: Done<number>,
) => void;

const filesOf = (folder: string): string[] => {
  const entries = fs.existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
};
/** The process that writes a segment, or anew one of an earlier process; a refused file may be of an earlier one. */
const processOf = (path: string): string | undefined => {
  const [, own, rewritten] = /\/([0-9a-f]{16})-\d{10}\.jsonl(?:\.([0-9a-f]{16})\.draft)?/.exec(path) ?? [];
  return rewritten ?? own;
};
const failure = (code: string): Error => Object.assign(new Error(`${code}: simulated`), { code });

export class ForgetfulDisk {
  isFull = false;
  /** So many syncs of files fail from now on. */
  failingSyncs = 0;
  /** When they fail. */
  failure: Promise<unknown> = Promise.resolve();
  /** Files by inode. */
  private readonly files = new Map<number, State>();
  /** The folders' names on the disk, and the sync or power cut, by number, that they are of. */
  private names = new Map<string, State>();
  private namesOf = 0;
  private begun = 0;
  private readonly owners = new Map<number, string>();
  private readonly dead = new Set<string>();
  private readonly real = { open: fs.open, write: fs.write, fdatasync: fs.fdatasync, fsync: fs.fsync };
  private readonly spies: jest.SpyInstance[];

  constructor(private readonly folders: readonly string[]) {
    const spy = (call: keyof typeof this.real, by: (...args: never[]) => void): jest.SpyInstance =>
      jest.spyOn(fs, call).mockImplementation(by as never);
    this.spies = [
      spy('open', (path: string, flags: string, done: Done<number>) => this.open(path, flags, done)),
      spy('write', (...args: Parameters<WriteBytes>) => {
        const [fd, data, from, length, at, done] = args;
        // A log that an earlier test file has left writes texts.
        if (typeof data === 'string') return void Reflect.apply(this.real.write, fs, args);
        this.write(fd, data.subarray(from, from + length), at, done);
      }),
      spy('fdatasync', (fd: number, done: Done) => this.sync('fdatasync', fd, done)),
      spy('fsync', (fd: number, done: Done) => this.sync('fsync', fd, done)),
      // Synchronous, so that no change of a name runs during a power cut.
      jest.spyOn(fs.promises, 'writeFile').mockImplementation(async (path, data) => {
        if (this.isFull) throw failure('ENOSPC');
        fs.writeFileSync(path as string, data as Buffer);
      }),
      jest.spyOn(fs.promises, 'rm').mockImplementation(async (path, options) => rmSync(path, options)),
      jest.spyOn(fs.promises, 'rename').mockImplementation(async (from, to) => renameSync(from, to)),
    ];
  }

  restore(): void {
    for (const spy of this.spies) spy.mockRestore();
  }

  /** Ends the processes that have written segments so far. */
  end(): void {
    for (const process of this.owners.values()) this.dead.add(process);
  }

  private lives(fd: number): boolean {
    return !this.dead.has(this.owners.get(fd) ?? '');
  }

  private open(path: string, flags: string, done: Done<number>): void {
    const process = flags === 'r' ? undefined : processOf(path);
    if (process !== undefined && this.dead.has(process)) return;
    // Synchronous, so that the end of a process does not come between.
    let fd: number;
    try {
      fd = openSync(path, flags);
    } catch (error) {
      setImmediate(done, error as Error);
      return;
    }
    // A closed file of another process may have had the number.
    if (process === undefined) this.owners.delete(fd);
    else this.owners.set(fd, process);
    if (flags !== 'r') this.files.set(fstatSync(fd).ino, { synced: Buffer.alloc(0), lost: null });
    setImmediate(() => this.lives(fd) && done(null, fd));
  }

  private write(fd: number, data: Buffer, at: null, done: Done<number>): void {
    if (!this.lives(fd)) return;
    const part = this.isFull ? Math.floor(data.length / 2) : data.length;
    this.real.write(fd, data, 0, part, at, (error, written) => {
      if (this.lives(fd)) done(error ?? (this.isFull ? failure('ENOSPC') : null), written);
    });
  }

  private sync(call: 'fdatasync' | 'fsync', fd: number, done: Done): void {
    if (!this.lives(fd)) return;
    const remember = this.beginSync(fd, call === 'fdatasync' && this.failingSyncs > 0);
    if (call === 'fdatasync' && this.failingSyncs > 0) {
      this.failingSyncs -= 1;
      void this.failure.then(() => {
        remember();
        done(failure('EIO'));
      });
      return;
    }
    this.real[call](fd, (error) => {
      if (!this.lives(fd)) return;
      if (!error) remember();
      done(error);
    });
  }

  /** Call at the start of a sync; call the result at its end. */
  private beginSync(fd: number, fails: boolean): () => void {
    const { ino } = fstatSync(fd);
    if (this.folders.some((path) => fs.existsSync(path) && statSync(path).ino === ino)) {
      // Journaling file systems write changes of names in order, so that all earlier ones are synced too.
      const names = new Map(this.folders.flatMap(filesOf).map((path) => [path, this.stateOf(path)]));
      const number = (this.begun += 1);
      // One that ends after a later one, or after a power cut, says nothing new.
      return () => {
        if (number < this.namesOf) return;
        this.names = names;
        this.namesOf = number;
      };
    }
    const path = this.folders.flatMap(filesOf).find((other) => statSync(other).ino === ino);
    if (path === undefined) return () => undefined;
    const state = this.stateOf(path);
    const before = imageOf(state, readFileSync(path));
    return () => {
      // What was written during a sync that fails is lost too.
      if (fails) state.lost = { from: state.lost?.from ?? state.synced.length, to: statSync(path).size };
      else state.synced = before;
    };
  }

  private stateOf(path: string): State {
    const { ino } = statSync(path);
    const state = this.files.get(ino) ?? { synced: Buffer.alloc(0), lost: null };
    this.files.set(ino, state);
    return state;
  }

  /** Simulates a power cut. `random` returns 0 to 1. */
  cut(random: () => number): void {
    const after = new Map<string, Buffer>();
    const placed = new Set<State>();
    const paths = this.folders.flatMap(filesOf);
    for (const path of paths) {
      const state = this.stateOf(path);
      const replaced = this.names.get(path);
      const [before] = [...this.names].find(([, other]) => other === state) ?? [];
      const to = replaced === state || random() < 0.5 ? path : before;
      if (to === undefined) {
        if (replaced) after.set(path, replaced.synced);
        continue;
      }
      placed.add(state);
      after.set(to, afterCut(state, readFileSync(path), random));
    }
    // An unsynced deletion may be undone.
    for (const [path, state] of this.names)
      if (!after.has(path) && !placed.has(state) && random() < 0.5) after.set(path, state.synced);
    for (const path of paths) rmSync(path);
    this.files.clear();
    this.names = new Map();
    this.namesOf = this.begun += 1;
    for (const [path, content] of after) {
      mkdirSync(dirname(path), { recursive: true });
      fs.writeFileSync(path, content);
      const state = this.stateOf(path);
      state.synced = content;
      this.names.set(path, state);
    }
  }
}

/** The content without the lost bytes. */
function imageOf({ lost }: State, content: Buffer): Buffer {
  if (!lost) return content;
  return Buffer.concat([content.subarray(0, lost.from), Buffer.alloc(lost.to - lost.from), content.subarray(lost.to)]);
}

/** The synced part, and of the rest a random part or zero blocks. A file cut shorter since may have its old length. */
function afterCut(state: State, content: Buffer, random: () => number): Buffer {
  const image = imageOf(state, content);
  if (image.length < state.synced.length) return random() < 0.5 ? image : state.synced;
  const to = state.synced.length + Math.floor(random() * (image.length - state.synced.length + 1));
  const kept = image.subarray(0, to);
  return random() < 0.5 ? kept : Buffer.concat([kept, Buffer.alloc(image.length - to)]);
}

/** Overwrites a file. */
export function overwrite(path: string, change: (content: Buffer) => Buffer): void {
  const content = change(readFileSync(path));
  const fd = openSync(path, 'w');
  fs.writeSync(fd, content);
  closeSync(fd);
}
