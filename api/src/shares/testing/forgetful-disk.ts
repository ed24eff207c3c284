/**
 * What a power cut leaves of a folder: what was synced, and of the rest as much as chance had it. Names and contents are
 * on the disk only once their folder and their file were synced; a rename happened or did not.
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

/** What the name of a segment that was set aside begins with. */
const DAY = '2026-11-21-';

export class ForgetfulDisk {
  /** By name, as synced: names are not used twice, and stay when a file is moved. */
  private readonly contents: Contents = new Map();
  /** Paths whose names are on the disk. */
  private names = new Set<string>();
  private readonly spies: jest.SpyInstance[] = [];

  constructor(private readonly folders: readonly string[]) {
    for (const call of ['fdatasync', 'fsync'] as const) {
      const real = fs[call];
      this.spies.push(
        jest.spyOn(fs, call).mockImplementation((fd, done) => {
          const remember = this.seen(fd);
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
        const remember = this.seen(fd);
        real(fd);
        remember();
      }),
    );
  }

  restore(): void {
    for (const spy of this.spies) spy.mockRestore();
  }

  /** What a sync that begins now brings onto the disk. */
  private seen(fd: number): () => void {
    const { ino } = fstatSync(fd);
    if (this.folders.some((path) => fs.existsSync(path) && statSync(path).ino === ino)) {
      // Journaling file systems bring changes of names there in their order: all before this one, too.
      const there = this.folders.flatMap((path) => [...filesOf(path).keys()]);
      return () => {
        this.names = new Set(there);
      };
    }
    const file = this.folders.flatMap((path) => [...filesOf(path)]).find(([path]) => statSync(path).ino === ino);
    return () => {
      if (file) this.contents.set(basename(file[0]), file[1]);
    };
  }

  /** The power goes, and comes back. `random`: 0 to 1. */
  cut(random: () => number): void {
    const now = new Map(this.folders.flatMap((folder) => [...filesOf(folder)]));
    const after: Contents = new Map();
    for (const [path, content] of now) {
      const name = basename(path);
      const before = [...this.names].find(
        (other) => other !== path && name.endsWith(basename(other)) && !now.has(other),
      );
      const isThere = this.names.has(path) || random() < 0.5;
      if (!isThere && before === undefined) continue;
      const synced = this.contents.get(name) ?? this.contents.get(name.slice(DAY.length)) ?? Buffer.alloc(0);
      after.set(isThere ? path : (before ?? path), worn(synced, content, random));
    }
    // What was deleted or moved may be back, unless it is where it was moved to.
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

/** At least what was synced; of the rest a part, or blocks that were never written. */
function worn(synced: Buffer, content: Buffer, random: () => number): Buffer {
  const to = synced.length + Math.floor(random() * (content.length - synced.length + 1));
  const kept = content.subarray(0, to);
  return random() < 0.5 ? kept : Buffer.concat([kept, Buffer.alloc(content.length - to)]);
}

/** Makes a file as if another hand had. */
export function overwrite(path: string, change: (content: Buffer) => Buffer): void {
  const content = change(readFileSync(path));
  const fd = openSync(path, 'w');
  fs.writeSync(fd, content);
  closeSync(fd);
}
