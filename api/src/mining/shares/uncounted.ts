/** Acknowledged work that is not in the database, by the journal's files: its day must not be closed. */
import { readFile, stat } from 'node:fs/promises';
import { dayOf } from '../../platform/days';
import { inChunks } from './journal/in-parts';
import { linesOf, refusedIn, segmentsIn, takeBackRefused } from './journal/journal-folder';
import { decodeShare } from './journal/share-line';

export type Uncounted = {
  /** `YYYY-MM-DD` */
  day: string;
  /** `waiting`: counted automatically. `refused`: needs an operator. `node`: a process has not counted this day. */
  why: 'waiting' | 'refused' | 'node';
  /** Number of lines, including unreadable ones, which count to the day of the line before. */
  lines: number;
  paths: string[];
};

/** What closing days and the command line need of a journal. */
export type Uncounting = {
  uncounted(): Promise<Uncounted[]>;
  retryRefused(): Promise<number>;
};

/** Retries files of a journal without a running server: they are counted when a server starts. */
export const uncountingOf = (folder: string): Uncounting => ({
  uncounted: () => uncountedIn(folder),
  retryRefused: async () => (await takeBackRefused(folder)).length,
});

/** What was found in a file, as long as it is the same. */
type Known = { version: string; days: Map<string, number> };

/** The uncounted work of a journal. A file is read again only when it has changed: it may have millions of lines. */
export class UncountedFiles {
  private known = new Map<string, Known>();

  /** `folder`: the journal's. */
  constructor(private readonly folder: string) {}

  async byDay(): Promise<Uncounted[]> {
    const found = new Map<string, Uncounted>();
    const known = new Map<string, Known>();
    const add = async (why: Uncounted['why'], path: string, first?: string): Promise<void> => {
      const days = await this.daysOf(path, first);
      if (!days) return;
      known.set(path, days);
      for (const [day, lines] of days.days) {
        const entry = found.get(`${day} ${why}`) ?? { day, why, lines: 0, paths: [] };
        found.set(`${day} ${why}`, entry);
        entry.lines += lines;
        entry.paths.push(path);
      }
    };
    for (const { path } of segmentsIn(this.folder)) await add('waiting', path);
    for (const { path, day } of refusedIn(this.folder)) await add('refused', path, day);
    this.known = known;
    return [...found.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
  }

  /** Null when the file was counted and deleted meanwhile. */
  private async daysOf(path: string, first?: string): Promise<Known | null> {
    try {
      const { ino, size, mtimeMs } = await stat(path);
      const version = `${ino} ${size} ${mtimeMs}`;
      const known = this.known.get(path);
      if (known?.version === version) return known;
      return { version, days: await linesByDay(await readFile(path), first ?? dayOf(mtimeMs / 1000)) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }
}

/** Reader of a journal that is looked at once. */
export const uncountedIn = (folder: string): Promise<Uncounted[]> => new UncountedFiles(folder).byDay();

/** Number of lines per day. `first`: the day of lines before the first share. */
async function linesByDay(data: Buffer, first: string): Promise<Map<string, number>> {
  const days = new Map<string, number>();
  let day = first;
  for await (const lines of inChunks(linesOf(data))) {
    for (const line of lines) {
      const share = decodeShare(line.toString());
      if (share) day = dayOf(share.at / 1000);
      days.set(day, (days.get(day) ?? 0) + 1);
    }
  }
  return days;
}

/** Text for an operator: `12 shares of 2026-11-20 are refused (…/refused/….jsonl)`. */
export function describeUncounted({ day, why, lines, paths: [first, ...more] }: Uncounted): string {
  if (why === 'node') return `${first} has not counted ${day} to its end`;
  const state = why === 'waiting' ? 'wait to be counted' : 'are refused';
  const files = more.length ? `${first} and ${more.length} files` : first;
  return `${lines} shares of ${day} ${state} (${files})`;
}
