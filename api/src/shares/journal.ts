/**
 * The journal: shares on disk before they are acknowledged. A folder of segments; a segment has the lines of one batch
 * and is named `<proxyId>-<sequence>.jsonl`. An appended line survives a crash of the process; after `sync` it survives
 * a power cut too. Lines that cannot be counted are kept in the folder `refused`.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fdatasync,
  fsync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { dayOf } from '../days';

export type Segment = { proxyId: string; sequence: number; path: string };
/** A file of lines that could not be counted. `day`: of the first share of their segment. */
export type Refused = { day: string; path: string };

const SEGMENT = /^([0-9a-f]{16})-(\d{10})\.jsonl$/;
const REFUSED = /^(\d{4}-\d{2}-\d{2})-[0-9a-f]{16}-\d{10}\.jsonl$/;
const LINE_END = 0x0a;
/** Written and removed to see whether shares could be: as large as a block of most filesystems. */
const PROBE = 'probe';
const PROBE_BYTES = 4096;

export const journalFolder = (dataDir: string): string => join(dataDir, 'journal');
const newId = (): string => randomBytes(8).toString('hex');
const nameOf = ({ proxyId, sequence }: Omit<Segment, 'path'>): string =>
  `${proxyId}-${String(sequence).padStart(10, '0')}.jsonl`;
const refusedFolder = (folder: string): string => join(folder, 'refused');

function matches(folder: string, pattern: RegExp): { match: RegExpExecArray; path: string }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const match = pattern.exec(file);
      return match ? [{ match, path: join(folder, file) }] : [];
    });
}

/** Segments of a journal that are not counted yet, including the one being written. */
export const segmentsIn = (folder: string): Segment[] =>
  matches(folder, SEGMENT).map(({ match, path }) => ({ proxyId: match[1] ?? '', sequence: Number(match[2]), path }));

/** Refused files, oldest day first. */
export const refusedIn = (folder: string): Refused[] =>
  matches(refusedFolder(folder), REFUSED).map(({ match, path }) => ({ day: match[1] ?? '', path }));

const whenSynced = (sync: typeof fsync, fd: number): Promise<void> =>
  new Promise((resolve, reject) => {
    sync(fd, (error) => (error ? reject(error) : resolve()));
  });

/** Syncs a file, or a folder: names of new files are on the disk only after a sync of their folder. */
async function syncPath(path: string): Promise<void> {
  const fd = openSync(path, 'r');
  try {
    await whenSynced(fsync, fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * Moves refused files back as segments. They get new keys, because other lines of their segment may be counted under
 * the old key.
 */
export async function takeBackRefused(folder: string): Promise<Segment[]> {
  const segments = refusedIn(folder).map(({ path }) => {
    const key = { proxyId: newId(), sequence: 1 };
    const segment = { ...key, path: join(folder, nameOf(key)) };
    renameSync(path, segment.path);
    return segment;
  });
  if (segments.length) await syncPath(folder);
  return segments;
}

/** The complete lines of a file. An incomplete last line was never acknowledged. */
export async function linesOf(path: string): Promise<Buffer[]> {
  const data = await readFile(path);
  const lines: Buffer[] = [];
  let from = 0;
  for (let to = data.indexOf(LINE_END); to >= 0; to = data.indexOf(LINE_END, from)) {
    lines.push(data.subarray(from, to));
    from = to + 1;
  }
  return lines;
}

export class Journal {
  /** Id of this process; its sequence numbers start at 1. */
  readonly proxyId = newId();
  private sequence = 0;
  private fd: number | null = null;
  private size = 0;
  private readonly finished: Segment[];
  /** File descriptors of finished segments that may not be synced; `sync` closes them. */
  private unsynced: number[] = [];
  private hasNewNames = false;

  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true });
    this.finished = segmentsIn(folder);
  }

  /** Bytes of the segment that is being written. */
  get bytes(): number {
    return this.size;
  }
  /** Finished segments, oldest first. */
  get segments(): readonly Segment[] {
    return this.finished;
  }

  /** Throws when it cannot write the whole line; then it removes the written part. */
  append(line: string): void {
    const data = Buffer.from(`${line}\n`);
    this.fd ??= this.create();
    try {
      let written = 0;
      while (written < data.length) written += writeSync(this.fd, data, written);
      this.size += data.length;
    } catch (error) {
      // Remove a partly written line (full disk), so that the next line does not continue it.
      ftruncateSync(this.fd, this.size);
      throw error;
    }
  }

  /** Whether a file can be written beside the segments: the disk is not full, and may be written. */
  async isWritable(): Promise<boolean> {
    const path = join(this.folder, PROBE);
    try {
      await writeFile(path, Buffer.alloc(PROBE_BYTES));
      return true;
    } catch {
      return false;
    } finally {
      await rm(path, { force: true }).catch(() => undefined);
    }
  }

  /** Syncs the segments of an earlier process. */
  async syncLeft(): Promise<void> {
    for (const { path } of this.finished) await syncPath(path);
    await syncPath(this.folder);
  }

  /** Resolves when all lines appended before are on the disk. Call it one at a time. */
  async sync(): Promise<void> {
    const finished = this.unsynced;
    this.unsynced = [];
    try {
      const all = [...finished, ...(this.fd === null ? [] : [this.fd])];
      await Promise.all(all.map((fd) => whenSynced(fdatasync, fd)));
      if (!this.hasNewNames) return;
      this.hasNewNames = false;
      await syncPath(this.folder);
    } catch (error) {
      this.hasNewNames = true;
      throw error;
    } finally {
      finished.forEach(closeSync);
    }
  }

  /** Finishes the segment being written, unless it is empty. */
  rotate(): void {
    if (this.fd === null || this.size === 0) return;
    this.unsynced.push(this.fd);
    this.fd = null;
    this.size = 0;
    this.sequence += 1;
    this.finished.push(this.segment(this.sequence));
  }

  /**
   * Writes lines of a segment to the folder `refused`, synced, and returns the path. The segment stays. `at`: a time on
   * their day (Unix ms).
   */
  async setAside(segment: Segment, at: number | undefined, lines: readonly Buffer[]): Promise<string> {
    const path = await this.refusedPath(segment, at);
    const end = Buffer.of(LINE_END);
    writeFileSync(path, Buffer.concat(lines.flatMap((line) => [line, end])), { flush: true });
    await syncPath(dirname(path));
    return path;
  }

  /** Moves a whole segment to the folder `refused`; returns the new path. */
  async refuse(segment: Segment): Promise<string> {
    const path = await this.refusedPath(segment);
    renameSync(segment.path, path);
    this.forget(segment);
    await syncPath(dirname(path));
    return path;
  }

  /** Moves refused files back as segments; returns their number. */
  async takeBack(): Promise<number> {
    const segments = await takeBackRefused(this.folder);
    this.finished.push(...segments);
    return segments.length;
  }

  /** Adds segments whose files have come into the folder. */
  add(segments: readonly Segment[]): void {
    this.finished.push(...segments);
  }

  remove(segment: Segment): void {
    rmSync(segment.path, { force: true });
    this.forget(segment);
  }

  /** Removes a segment from the list whose file does not exist. */
  forget(segment: Segment): void {
    const index = this.finished.indexOf(segment);
    if (index >= 0) this.finished.splice(index, 1);
  }

  /** Do not call it during a `sync`. */
  close(): void {
    this.rotate();
    if (this.fd !== null) closeSync(this.fd);
    this.fd = null;
    this.unsynced.splice(0).forEach(closeSync);
  }

  private create(): number {
    this.hasNewNames = true;
    return openSync(this.segment(this.sequence + 1).path, 'a');
  }

  private segment(sequence: number): Segment {
    const key = { proxyId: this.proxyId, sequence };
    return { ...key, path: join(this.folder, nameOf(key)) };
  }

  private async refusedPath(segment: Segment, at = statSync(segment.path).mtimeMs): Promise<string> {
    const folder = refusedFolder(this.folder);
    if (mkdirSync(folder, { recursive: true })) await syncPath(this.folder);
    return join(folder, `${dayOf(at / 1000)}-${nameOf(segment)}`);
  }
}
