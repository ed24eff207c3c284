/**
 * Acknowledged work that is not in the database; a day must not be closed without it. Read from the journal's files, so
 * that it works with and without a running server.
 */
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dayOf } from '../days';
import { linesOf, refusedIn, segmentsIn, takeBackRefused } from './journal';
import { decodeShare } from './share-line';

/** Work of one UTC day. */
export type Uncounted = {
  /** `YYYY-MM-DD` */
  day: string;
  /** `waiting`: will be counted automatically. `refused`: needs an operator (docs/operations.md). */
  why: 'waiting' | 'refused';
  /** Number of lines, including unreadable ones, which count to the day of the line before. */
  lines: number;
  paths: string[];
};

/** What closing days and the command line need of a journal. */
export type Uncounting = {
  /** Work that is not in the database, by day. */
  uncounted(): Promise<Uncounted[]>;
  /** Retries refused files; returns their number. */
  retryRefused(): Promise<number>;
};

/** For a journal without a running server: retried files are counted when a server starts. */
export const uncountingOf = (folder: string): Uncounting => ({
  uncounted: () => uncountedIn(folder),
  retryRefused: async () => (await takeBackRefused(folder)).length,
});

/** Uncounted work by day; empty when all work is counted. `folder`: the journal's. */
export async function uncountedIn(folder: string): Promise<Uncounted[]> {
  const found = new Map<string, Uncounted>();
  const add = async (why: Uncounted['why'], path: string, day?: string): Promise<void> => {
    for (const [of, lines] of await linesByDay(path, day)) {
      const entry = found.get(`${of} ${why}`) ?? { day: of, why, lines: 0, paths: [] };
      found.set(`${of} ${why}`, entry);
      entry.lines += lines;
      entry.paths.push(path);
    }
  };
  for (const { path } of segmentsIn(folder)) await add('waiting', path);
  for (const { path, day } of refusedIn(folder)) await add('refused', path, day);
  return [...found.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}

/**
 * Number of lines per day. `first`: the day of lines before the first share. Empty when the file was counted and
 * deleted meanwhile.
 */
async function linesByDay(path: string, first?: string): Promise<Map<string, number>> {
  const days = new Map<string, number>();
  try {
    let day = first ?? dayOf(statSync(path).mtimeMs / 1000);
    for (const line of linesOf(await readFile(path))) {
      const share = decodeShare(line.toString());
      if (share) day = dayOf(share.at / 1000);
      days.set(day, (days.get(day) ?? 0) + 1);
    }
    return days;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw error;
  }
}

/** Text for an operator: `12 shares of 2026-11-20 are refused (…/refused/….jsonl)`. */
export function describeUncounted({ day, why, lines, paths: [first, ...more] }: Uncounted): string {
  const state = why === 'waiting' ? 'wait to be counted' : 'are refused';
  const files = more.length ? `${first} and ${more.length} files` : first;
  return `${lines} shares of ${day} ${state} (${files})`;
}
