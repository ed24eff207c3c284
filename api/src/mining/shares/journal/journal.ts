/**
 * The journal: shares on disk before they are acknowledged. A folder of segments; a segment has the lines of one batch
 * and is named `<proxyId>-<sequence>.jsonl`. An appended line survives a crash of the process; after `sync` it survives
 * a power cut too. Lines that cannot be counted are kept in the folder `refused`. Everything is written outside of the
 * loop, one write at a time: lines that come during a write are the next one.
 */
import { mkdirSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { dayOf } from '../../../platform/days';
import { syncPath, writeWhole } from '../../../platform/files';
import {
  LINE_END,
  linesOf,
  nameOf,
  newProxyId,
  refusedFolder,
  removeDrafts,
  segmentsIn,
  takeBackRefused,
  type Segment,
} from './journal-folder';
import { SegmentFile } from './segment-file';

/** Size at which a segment is finished, because a segment is read into memory to count it. */
const SEGMENT_BYTES = 8 * 1024 * 1024;
const BATCH_BYTES = 256 * 1024;
/** Bytes that wait to be written: above `BUSY` no more should come, above `MAX` lines are refused. */
const BUSY_BYTES = 1024 * 1024;
const MAX_BYTES = 16 * 1024 * 1024;
/** Bytes kept in memory until a sync, above which no more lines should come. */
const BUSY_UNSAFE_BYTES = 32 * 1024 * 1024;
/** Written and removed to see whether shares could be: as large as a block of most filesystems. */
const PROBE = 'probe';
const PROBE_BYTES = 4096;

type Batch = { text: string; written: Promise<void> };

export class Journal {
  /** Id of this process; its sequence numbers start at 1. */
  readonly proxyId = newProxyId();
  private sequence = 0;
  private current: SegmentFile | null = null;
  private readonly finished: Segment[];
  /** Finished segments of this process that may not be on the disk. */
  private unsynced: SegmentFile[] = [];
  private hasNewNames = false;
  private batch: Batch | null = null;
  private queued = 0;
  /** Mutex of the disk: the last piece of work that was asked of it. */
  private last: Promise<unknown> = Promise.resolve();

  /** `onSyncFailure`: called for each failed sync, also when its lines could be written again. */
  constructor(
    private readonly folder: string,
    private readonly onSyncFailure: (error: unknown) => void = () => undefined,
  ) {
    mkdirSync(folder, { recursive: true });
    removeDrafts(folder);
    this.finished = segmentsIn(folder);
  }

  /** Finished segments, oldest first. */
  get segments(): readonly Segment[] {
    return this.finished;
  }
  get isEmpty(): boolean {
    return this.finished.length === 0 && this.queued === 0 && !this.current?.size;
  }
  get busy(): boolean {
    let unsafe = this.current?.unsafe ?? 0;
    for (const file of this.unsynced) unsafe += file.unsafe;
    return this.queued > BUSY_BYTES || unsafe > BUSY_UNSAFE_BYTES;
  }

  /** Resolves when the line is written; rejects when it is not: the disk does not take it, or too many lines wait. */
  append(line: string): Promise<void> {
    if (this.queued > MAX_BYTES) return Promise.reject(new Error('the disk is too slow: too many shares wait for it'));
    const batch = (this.batch ??= this.newBatch());
    batch.text += `${line}\n`;
    this.queued += line.length + 1;
    if (batch.text.length >= BATCH_BYTES) this.batch = null;
    return batch.written;
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

  /** Writes the segments of an earlier process anew: after a failed sync another one would prove nothing. */
  async syncLeft(): Promise<void> {
    for (const { path } of this.finished) await writeWhole(path, await readFile(path), `${path}.${this.proxyId}.draft`);
    await syncPath(this.folder);
  }

  /** Resolves when all lines so far are on the disk; what a sync fails for is written anew. One call at a time. */
  async sync(): Promise<void> {
    const files = this.openFiles();
    // One after the other: a disk that hangs takes one thread, not all.
    for (const file of files) if (!file.isDurable && !file.suspect) await file.sync().catch(this.onSyncFailure);
    await this.mend();
    await this.syncNames(files);
    const safe = (file: SegmentFile): boolean => file.gone || (file.isDurable && files.includes(file));
    const [closing, open] = [this.unsynced.filter(safe), this.unsynced.filter((file) => !safe(file))];
    this.unsynced = open;
    for (const file of closing) await file.close();
  }

  /** Finishes the segment being written, unless it is empty, with all lines appended before. */
  rotate(): Promise<void> {
    return this.exclusively(async () => this.finish());
  }

  async lines(segment: Segment): Promise<Buffer[]> {
    const file = this.unsynced.find((other) => other.segment === segment);
    return linesOf(await (file ? file.contents() : readFile(segment.path)));
  }

  /** Writes lines of a segment, of the day of `at` (Unix ms), to the folder `refused`, synced; returns the path. */
  async setAside(segment: Segment, at: number | undefined, lines: readonly Buffer[]): Promise<string> {
    const path = await this.refusedPath(segment, at);
    const end = Buffer.of(LINE_END);
    await writeWhole(path, Buffer.concat(lines.flatMap((line) => [line, end])));
    await syncPath(dirname(path));
    return path;
  }

  /** Moves a whole segment to the folder `refused`; returns the new path. */
  async refuse(segment: Segment): Promise<string> {
    const path = await this.refusedPath(segment);
    await this.exclusively(async () => {
      await rename(segment.path, path);
      for (const file of this.unsynced) if (file.segment === segment) file.path = path;
    });
    this.drop(segment);
    await syncPath(dirname(path));
    return path;
  }

  async takeBack(): Promise<number> {
    const segments = await takeBackRefused(this.folder);
    this.finished.push(...segments);
    return segments.length;
  }

  add(segments: readonly Segment[]): void {
    this.finished.push(...segments);
  }

  /** Removes a segment whose lines are counted. `keep`: may move its file first. */
  async remove(segment: Segment, keep: (segment: Segment) => void = () => undefined): Promise<void> {
    await this.exclusively(async () => {
      this.forget(segment);
      keep(segment);
      await rm(segment.path, { force: true });
    });
  }

  forget(segment: Segment): void {
    for (const file of this.unsynced) if (file.segment === segment) file.gone = true;
    this.drop(segment);
  }

  /** Do not call it during a `sync`. */
  close(): Promise<void> {
    return this.exclusively(async () => {
      this.finish();
      for (const file of [...this.unsynced.splice(0), ...(this.current ? [this.current] : [])]) await file.close();
      this.current = null;
    });
  }

  private drop(segment: Segment): void {
    const index = this.finished.indexOf(segment);
    if (index >= 0) this.finished.splice(index, 1);
  }

  /** Runs `work` when all work before it has ended. */
  private exclusively<T>(work: () => Promise<T>): Promise<T> {
    const run = this.last.then(work);
    this.last = run.catch(() => undefined);
    return run;
  }

  private openFiles(): SegmentFile[] {
    return [...this.unsynced, ...(this.current ? [this.current] : [])].filter(({ gone }) => !gone);
  }

  private newBatch(): Batch {
    const batch: Batch = { text: '', written: Promise.resolve() };
    batch.written = this.exclusively(() => this.write(batch));
    return batch;
  }

  private async write(batch: Batch): Promise<void> {
    if (this.batch === batch) this.batch = null;
    try {
      const file = (this.current ??= await this.create());
      await file.write(Buffer.from(batch.text));
    } finally {
      this.queued -= batch.text.length;
      if (this.current && (this.current.torn || this.current.size > SEGMENT_BYTES)) this.finish();
    }
  }

  private async create(): Promise<SegmentFile> {
    const key = { proxyId: this.proxyId, sequence: this.sequence + 1 };
    const file = await SegmentFile.create({ ...key, path: join(this.folder, nameOf(key)) });
    this.hasNewNames = true;
    return file;
  }

  private finish(): void {
    const { current } = this;
    if (!current || (current.size === 0 && !current.torn)) return;
    this.current = null;
    this.sequence += 1;
    this.finished.push(current.segment);
    this.unsynced.push(current);
  }

  /** Writes segments whose sync failed anew; rejects when one cannot be. */
  private mend(): Promise<void> {
    return this.exclusively(async () => {
      if (this.current?.suspect) this.finish();
      for (const file of this.openFiles()) {
        if (!file.suspect) continue;
        await file.rewrite();
        this.hasNewNames = true;
      }
    });
  }

  /** Syncs the names of the folder; the files are suspect when it fails. */
  private async syncNames(files: readonly SegmentFile[]): Promise<void> {
    if (!this.hasNewNames) return;
    this.hasNewNames = false;
    try {
      await syncPath(this.folder);
    } catch (error) {
      this.hasNewNames = true;
      for (const file of files) file.suspect = true;
      throw error;
    }
  }

  private async refusedPath(segment: Segment, at?: number): Promise<string> {
    const time = at ?? (await stat(segment.path)).mtimeMs;
    const folder = refusedFolder(this.folder);
    if (await mkdir(folder, { recursive: true })) await syncPath(this.folder);
    return join(folder, `${dayOf(time / 1000)}-${nameOf(segment)}`);
  }
}
