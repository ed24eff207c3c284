/** The files of a journal's folder: segments that are not counted yet, and in the folder `refused` what cannot be. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncPath } from '../../../platform/files';

export type Segment = { proxyId: string; sequence: number; path: string };
/** A file of lines that could not be counted. `day`: when the first share of their segment came. */
export type Refused = { day: string; path: string };

const SEGMENT = /^([0-9a-f]{16})-(\d{10})\.jsonl$/;
const REFUSED = /^(\d{4}-\d{2}-\d{2})-[0-9a-f]{16}-\d{10}\.jsonl$/;
const DRAFT = /\.draft$/;
export const LINE_END = 0x0a;

export const journalFolder = (dataDir: string): string => join(dataDir, 'journal');
export const newProxyId = (): string => randomBytes(8).toString('hex');
export const nameOf = ({ proxyId, sequence }: Omit<Segment, 'path'>): string =>
  `${proxyId}-${String(sequence).padStart(10, '0')}.jsonl`;
export const refusedFolder = (folder: string): string => join(folder, 'refused');

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

export function removeDrafts(folder: string): void {
  for (const { path } of matches(folder, DRAFT)) rmSync(path);
}

/** Refused files, oldest day first. */
export const refusedIn = (folder: string): Refused[] =>
  matches(refusedFolder(folder), REFUSED).map(({ match, path }) => ({ day: match[1] ?? '', path }));

/** Moves refused files back as segments, with new keys: lines of theirs may be counted under the old ones. */
export async function takeBackRefused(folder: string): Promise<Segment[]> {
  const segments = refusedIn(folder).map(({ path }) => {
    const key = { proxyId: newProxyId(), sequence: 1 };
    const segment = { ...key, path: join(folder, nameOf(key)) };
    renameSync(path, segment.path);
    return segment;
  });
  if (segments.length) await syncPath(folder);
  return segments;
}

/** The complete lines of a file. An incomplete last line was never acknowledged. */
export function linesOf(data: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let from = 0;
  for (let to = data.indexOf(LINE_END); to >= 0; to = data.indexOf(LINE_END, from)) {
    lines.push(data.subarray(from, to));
    from = to + 1;
  }
  return lines;
}
