/**
 * Work that was acknowledged and is not in the database: what a day must not be closed without. It is read from the
 * journal's files, so that it is told with or without a running server.
 */
import { statSync } from 'node:fs';
import { dayOf } from '../days';
import { linesOf, refusedIn, segmentsIn, takeBackRefused } from './journal';
import { decodeShare } from './share-line';

/** Work of one UTC day. */
export type Uncounted = {
  /** `YYYY-MM-DD` */
  day: string;
  /** `waiting`: will be counted by itself. `refused`: only when somebody has looked at it (docs/operations.md). */
  why: 'waiting' | 'refused';
  /** Shares, and lines nobody can read: these are of the day of the lines before them. */
  lines: number;
  paths: string[];
};

/** What closing a day and the command line ask of a journal. */
export type Uncounting = {
  /** What is not in the database, by day. */
  uncounted(): Promise<Uncounted[]>;
  /** Has what was set aside counted once more; answers how many files that was. */
  retryRefused(): Promise<number>;
};

/** Of a journal that no server runs with: what is taken back is counted when one starts. */
export const uncountingOf = (folder: string): Uncounting => ({
  uncounted: () => uncountedIn(folder),
  retryRefused: async () => (await takeBackRefused(folder)).length,
});

/** By day; empty when all work is counted. `folder`: of the journal. */
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

/** `first`: the day of lines before the first share. A file that is counted and gone meanwhile has none. */
async function linesByDay(path: string, first?: string): Promise<Map<string, number>> {
  const days = new Map<string, number>();
  try {
    let day = first ?? dayOf(statSync(path).mtimeMs / 1000);
    for (const line of await linesOf(path)) {
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

/** For a person: `12 shares of 2026-11-20 are refused (…/refused/….jsonl)`. */
export const tellUncounted = ({ day, why, lines, paths: [first, ...more] }: Uncounted): string =>
  `${lines} shares of ${day} ${why === 'waiting' ? 'wait to be counted' : 'are refused'} (${first}${more.length ? ` and ${more.length} files` : ''})`;
