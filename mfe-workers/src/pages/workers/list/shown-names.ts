/** Names as a column shows them: whole, or shortened in the middle when they are long. */
import { shorten } from '@pool/shared';

/** Characters of the longest name that is shown whole. */
const MOST = 24;
/** Least characters that stay at the end, which is what tells one machine from another. */
const END = 10;
/** Width of a character and of the cell's padding, px. */
const CHARACTER = 7.3;
const PADDING = 26;

export type ShownNames = { of(name: string): string; width: number };

/** All are shortened at one place, or none where two would look alike. `least`: width of the column, px. */
export function shownNames(least: number, names: readonly string[]): ShownNames {
  const long = new Set(names.filter((name) => name.length > MOST));
  let longest = names.reduce((most, { length }) => Math.max(most, Math.min(length, MOST)), 0);
  let of = (name: string) => name;
  for (let end = END; long.size > 0 && end < MOST - 1; end += 1) {
    const short = (name: string) => (long.has(name) ? shorten(name, MOST - 1 - end, end) : name);
    if (new Set([...long].map(short)).size < long.size) continue;
    of = short;
    break;
  }
  if (long.size > 0) longest = MOST;
  return { of, width: Math.max(least, Math.ceil(longest * CHARACTER + PADDING)) };
}
