/**
 * Shares on disk, before anybody is told they count. A journal is a folder of segments; a segment is the lines of one
 * batch, named `<proxyId>-<sequence>.jsonl`. Lines survive the death of the process (not of the machine: no fsync, a
 * power cut may cost the last seconds).
 */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Segment = { proxyId: string; sequence: number; path: string };
/** Lines that could not be counted. `day`: of the first share of their segment. */
export type Refused = { day: string; path: string };

const SEGMENT = /^([0-9a-f]{16})-(\d{10})\.jsonl$/;
const REFUSED = /^(\d{4}-\d{2}-\d{2})-[0-9a-f]{16}-\d{10}\.jsonl$/;

function matches(folder: string, pattern: RegExp): { match: RegExpExecArray; path: string }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const match = pattern.exec(file);
      return match ? [{ match, path: join(folder, file) }] : [];
    });
}

/** Segments of a journal that are to be counted, the one being written among them. */
export const segmentsIn = (folder: string): Segment[] =>
  matches(folder, SEGMENT).map(({ match, path }) => ({ proxyId: match[1] ?? '', sequence: Number(match[2]), path }));

/** Lines set aside, oldest day first. */
export const refusedIn = (folder: string): Refused[] =>
  matches(join(folder, 'refused'), REFUSED).map(({ match, path }) => ({ day: match[1] ?? '', path }));

export class Journal {
  /** Of this process's life: its sequences start at 1. */
  readonly proxyId = randomBytes(8).toString('hex');
  private sequence = 0;
  private fd: number | null = null;
  private size = 0;
  private readonly finished: Segment[];

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

  /** Throws when the line cannot be written whole; then nothing of it stays. */
  append(line: string): void {
    const data = Buffer.from(`${line}\n`);
    this.fd ??= openSync(this.path(this.sequence + 1), 'a');
    try {
      let written = 0;
      while (written < data.length) written += writeSync(this.fd, data, written);
      this.size += data.length;
    } catch (error) {
      // A full disk may have taken half a line: the next one must not be glued to it.
      ftruncateSync(this.fd, this.size);
      throw error;
    }
  }

  /** Finishes the segment being written; nothing happens while it is empty. */
  rotate(): void {
    if (this.fd === null || this.size === 0) return;
    closeSync(this.fd);
    this.fd = null;
    this.size = 0;
    this.sequence += 1;
    this.finished.push({ proxyId: this.proxyId, sequence: this.sequence, path: this.path(this.sequence) });
  }

  /** Whole lines of a segment; what a kill cut off was never acknowledged. */
  async read(segment: Segment): Promise<string[]> {
    const lines = (await readFile(segment.path, 'utf8')).split('\n');
    lines.pop();
    return lines;
  }

  remove(segment: Segment): void {
    rmSync(segment.path, { force: true });
    const index = this.finished.indexOf(segment);
    if (index >= 0) this.finished.splice(index, 1);
  }

  close(): void {
    this.rotate();
    if (this.fd !== null) closeSync(this.fd);
    this.fd = null;
  }

  private path(sequence: number): string {
    return join(this.folder, `${this.proxyId}-${String(sequence).padStart(10, '0')}.jsonl`);
  }
}
