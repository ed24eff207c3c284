/** Compares without case and accents. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The cost of `wanted` in `letters` when its first letter is the one at `start`; null: not all of it is there. */
function costFrom(letters: string, wanted: string, start: number): number | null {
  let cost = 0;
  let at = -1;
  for (const letter of wanted) {
    const next = at < 0 ? start : letters.indexOf(letter, at + 1);
    if (next < 0) return null;
    const startsWord = next === 0 || /[\s·›_.-]/.test(letters[next - 1] ?? '');
    const follows = at >= 0 && next === at + 1;
    cost += follows ? 0 : startsWord ? 1 : 2 + (next - at) / 100;
    at = next;
  }
  return cost + letters.length / 1000;
}

/** How well `search` matches, lower is better; null: not at all. Letters that start a word cost least. */
export function rank(text: string, search: string): number | null {
  const letters = plain(text);
  const wanted = plain(search).replace(/\s+/g, '');
  let best: number | null = null;
  for (
    let start = letters.indexOf(wanted.charAt(0));
    start >= 0;
    start = letters.indexOf(wanted.charAt(0), start + 1)
  ) {
    const cost = costFrom(letters, wanted, start);
    if (cost !== null && (best === null || cost < best)) best = cost;
  }
  return best;
}

/** Rank of an item found by its words: between letters that follow each other and letters that are far apart. */
const WORDS_RANK = 3;
const startsAll = (text: string, search: string): boolean => {
  const words = plain(text).split(/[\s,·›]+/);
  return plain(search)
    .split(/\s+/)
    .filter(Boolean)
    .every((wanted) => words.some((word) => word.startsWith(wanted)));
};

type Item = { label: string; words?: string; found?: boolean };
/** The items that match, best first; items that match equally well stay in their order. */
export function found<T extends Item>(items: readonly T[], search: string): T[] {
  if (!search.trim()) return [...items];
  return items
    .map((item) => {
      const { label, words = '', found: isFound } = item;
      const byWords = startsAll(`${label} ${words}`, search) ? WORDS_RANK : isFound ? 2 * WORDS_RANK : Infinity;
      return { item, rank: Math.min(rank(label, search) ?? Infinity, byWords) };
    })
    .filter((each) => each.rank < Infinity)
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
