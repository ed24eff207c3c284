/** docs/security.md, docs/asvs.md and docs/interop.md name tests that exist. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = process.cwd();
const NAMED = /`([\w./-]+\.(?:test|spec)\.tsx?)` "([^"]+)"/g;
const FILE = /`[\w./-]+\.(?:test|spec)\.tsx?`/g;
const read = (page: string): string => readFileSync(path.join(ROOT, page), 'utf8');

// Files without a title: this one, in the introductions.
describe.each([
  ['docs/security.md', 1],
  ['docs/asvs.md', 1],
  ['docs/interop.md', 0],
])('%s', (page, untitled) => {
  const text = read(page);
  const proofs = [...text.matchAll(NAMED)].map(([, file = '', title = '']) => [file, title] as const);

  test('every file with a test is followed by the title of one', () =>
    expect(proofs).toHaveLength([...text.matchAll(FILE)].length - untitled));

  test.each(proofs)('%s has "%s"', (file, title) => {
    expect(existsSync(path.join(ROOT, file))).toBe(true);
    expect(read(file).replaceAll("\\'", "'")).toContain(title);
  });
});

test('docs/interop.md has a row for each of the 37 miners and 21 pools, with a test or a reason', () => {
  const rows = [...read('docs/interop.md').matchAll(/^\| ([MP]\d+) \|[^|]+\| (.{10,}) \|$/gm)].map(([, row]) => row);
  const numbers = (letter: string, count: number): string[] =>
    Array.from({ length: count }, (_, i) => `${letter}${i + 1}`);
  expect(rows).toEqual([...numbers('M', 37), ...numbers('P', 21)]);
});
