/** docs/security.md and docs/asvs.md name tests that exist. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = process.cwd();
const page = ['security', 'asvs'].map((name) => readFileSync(path.join(ROOT, `docs/${name}.md`), 'utf8')).join('\n');
const proofs = [...page.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)` "([^"]+)"/g)].map(
  ([, file = '', title = '']) => [file, title] as const,
);

test('every file with a test is followed by the title of one', () =>
  expect(proofs).toHaveLength(
    [...page.matchAll(/`[\w./-]+\.(?:test|spec)\.tsx?`/g)].length - 2, // this file, in the introductions
  ));

test.each(proofs)('%s has "%s"', (file, title) => {
  expect(existsSync(path.join(ROOT, file))).toBe(true);
  expect(readFileSync(path.join(ROOT, file), 'utf8').replaceAll("\\'", "'")).toContain(title);
});
