/** A segment of this process. What is not known to be on the disk stays in memory: a failed sync may drop it. */
import { readFile } from 'node:fs/promises';
import { closeFile, fdatasync, ftruncate, openFile, replaceFile, writeAll } from '../../../platform/files';
import type { Segment } from './journal-folder';

export class SegmentFile {
  /** Bytes of whole lines. */
  size = 0;
  /** Where the file is now; a refused segment is moved. */
  path: string;
  /** A sync of it failed: only `rewrite` brings it onto the disk. */
  suspect = false;
  /** Its lines are counted: nothing of it is needed any more. */
  gone = false;
  /** Bytes behind `size` could not be removed: nothing more can be written. */
  torn = false;
  /** Bytes at its start that are on the disk. */
  private durable = 0;
  /** The bytes after them. */
  private tail: Buffer[] = [];

  private constructor(
    readonly segment: Segment,
    private fd: number,
  ) {
    this.path = segment.path;
  }

  static async create(segment: Segment): Promise<SegmentFile> {
    return new SegmentFile(segment, await openFile(segment.path, 'ax'));
  }

  get isDurable(): boolean {
    return this.durable === this.size && !this.suspect;
  }
  /** Bytes that are not known to be on the disk. */
  get unsafe(): number {
    return this.size - this.durable;
  }

  /** Appends whole lines, or nothing when it rejects. One call at a time. */
  async write(lines: Buffer): Promise<void> {
    try {
      await writeAll(this.fd, lines);
    } catch (error) {
      // A part of the lines, as a full disk leaves: the next lines must not continue it.
      await ftruncate(this.fd, this.size).catch(() => {
        this.torn = true;
      });
      throw error;
    }
    this.size += lines.length;
    this.tail.push(lines);
  }

  /** Resolves when all lines written before are on the disk. When it rejects the file is suspect. */
  async sync(): Promise<void> {
    const { size, tail } = this;
    const parts = tail.length;
    try {
      await fdatasync(this.fd);
    } catch (error) {
      this.suspect = true;
      throw error;
    }
    this.durable = size;
    this.tail = tail.slice(parts);
  }

  /** All its lines. Of the file only what is on the disk is read. */
  async contents(): Promise<Buffer> {
    const { durable, tail } = this;
    const parts = [...tail];
    const head = durable ? (await readFile(this.path)).subarray(0, durable) : Buffer.alloc(0);
    return Buffer.concat([head, ...parts]);
  }

  /** Brings its lines onto the disk in a new file in its place. Not during `write` or `sync`; sync the folder after it. */
  async rewrite(): Promise<void> {
    const fd = await replaceFile(this.path, await this.contents());
    const old = this.fd;
    this.fd = fd;
    this.durable = this.size;
    this.tail = [];
    this.suspect = false;
    this.torn = false;
    await closeFile(old).catch(() => undefined);
  }

  /** Not during another call. */
  close(): Promise<void> {
    return closeFile(this.fd);
  }
}
