/**
 * Tests that passed at their second try only. scripts/test/flaky.txt keeps their names, one a line; a test that is in it
 * and needs a second try again fails the run.
 */

/** Newly flaky tests, and those that were flaky before. */
export function sortFlaky(list: string, flaky: readonly string[]): { added: string[]; repeated: string[] } {
  const known = new Set(namesIn(list));
  const all = [...new Set(flaky)];
  return { added: all.filter((name) => !known.has(name)), repeated: all.filter((name) => known.has(name)) };
}

/** The list with more names, sorted; its comments stay above them. */
export function addFlaky(list: string, added: readonly string[]): string {
  const comments = list.split('\n').filter((line) => line.startsWith('#'));
  return `${[...comments, ...[...namesIn(list), ...added].sort()].join('\n')}\n`;
}

const namesIn = (list: string): string[] =>
  list
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
