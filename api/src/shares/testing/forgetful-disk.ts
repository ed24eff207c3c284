/**
 * Simulates what a power cut leaves of a folder: all synced data, and a random part of the rest. Contents are on the
 * disk once their file is synced, names once their folder is synced; an unsynced rename happened or did not.
 */
import fs, {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';

type Contents = Map<string, Buffer>;
const filesOf = (folder: string): Contents => {
  const names = fs.existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return new Map(
    names.flatMap(({ name, parentPath: at }) => {
      const path = join(at, name);
      return statSync(path).isFile() ? [[path, readFileSync(path)]] : [];
    }),
  );
};

/** Prefix of the name of a refused segment; the test needs its length. */
const DAY = '2026-11-21-';

export class ForgetfulDisk {
  /** Synced contents by file name: a name is never reused, and stays when a file is moved. */
  private readonly contents: Contents = new Map();
  /** Paths whose names are synced. */
  private names = new Set<string>();
  private readonly spies: jest.SpyInstance[] = [];

  constructor(private readonly folders: readonly string[]) {
    for (const call of ['fdatasync', 'fsync'] as const) {
      const real = fs[call];
      this.spies.push(
        jest.spyOn(fs, call).mockImplementation((fd, done) => {
          const remember = this.beginSync(fd);
          real(fd, (error) => {
            if (!error) remember();
            done(error);
          });
        }),
      );
    }
    const real = fs.fsyncSync;
    this.spies.push(
      jest.spyOn(fs, 'fsyncSync').mockImplementation((fd) => {
        const remember = this.beginSync(fd);
        real(fd);
        remember();
      }),
    );
  }

  restore(): void {
    for (const spy of this.spies) spy.mockRestore();
  }

  /** Call at the start of a sync; call the result when the sync has succeeded. */
  private beginSync(fd: number): () => void {
    const { ino } = fstatSync(fd);
    if (this.folders.some((path) => fs.existsSync(path) && statSync(path).ino === ino)) {
      // Journaling file systems write changes of names in order, so that all earlier ones are synced too.
      const paths = this.folders.flatMap((path) => [...filesOf(path).keys()]);
      return () => {
        this.names = new Set(paths);
      };
    }
    const file = this.folders.flatMap((path) => [...filesOf(path)]).find(([path]) => statSync(path).ino === ino);
    return () => {
      if (file) this.contents.set(basename(file[0]), file[1]);
    };
  }

  /** Simulates a power cut. `random` returns 0 to 1. */
  cut(random: () => number): void {
    const now = new Map(this.folders.flatMap((folder) => [...filesOf(folder)]));
    const after: Contents = new Map();
    for (const [path, content] of now) {
      const name = basename(path);
      const before = [...this.names].find(
        (other) => other !== path && name.endsWith(basename(other)) && !now.has(other),
      );
      const hasName = this.names.has(path) || random() < 0.5;
      if (!hasName && before === undefined) continue;
      const synced = this.contents.get(name) ?? this.contents.get(name.slice(DAY.length)) ?? Buffer.alloc(0);
      after.set(hasName ? path : (before ?? path), afterCut(synced, content, random));
    }
    // An unsynced deletion may be undone; so may a move, unless the file is at its new path.
    for (const path of this.names) {
      const content = this.contents.get(basename(path));
      const moved = [...after.keys()].some((other) => basename(other).endsWith(basename(path)));
      if (content && !now.has(path) && !moved && random() < 0.5) after.set(path, content);
    }
    for (const path of now.keys()) rmSync(path);
    for (const [path, content] of after) {
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, content);
    }
    this.names = new Set(after.keys());
    for (const [path, content] of after) this.contents.set(basename(path), content);
  }
}

/** The synced part, and of the rest a random part or zero blocks. */
function afterCut(synced: Buffer, content: Buffer, random: () => number): Buffer {
  const to = synced.length + Math.floor(random() * (content.length - synced.length + 1));
  const kept = content.subarray(0, to);
  return random() < 0.5 ? kept : Buffer.concat([kept, Buffer.alloc(content.length - to)]);
}

/** Overwrites a file. */
export function overwrite(path: string, change: (content: Buffer) => Buffer): void {
  const content = change(readFileSync(path));
  const fd = openSync(path, 'w');
  fs.writeSync(fd, content);
  closeSync(fd);
}
