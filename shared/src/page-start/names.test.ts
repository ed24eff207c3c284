/** The names of a page's start are written in one place: shared/src/page-start. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as names from './names';

const HOME = 'shared/src/page-start/';
const sources = execFileSync('git', ['ls-files', 'api/src', 'shared/src', 'shell/src', 'mfe-*/src', 'scripts'])
  .toString()
  .split('\n')
  .filter((file) => /(?<!\.test)\.(tsx?|html)$/.test(file) && !file.startsWith(HOME));

const words: readonly string[] = Object.values(names).filter((name) => name.includes('pool-') || name.startsWith('/'));
const globals = ['earlyRequests', 'poolReports', 'ssrAnswers'].map((name) => `globalThis.${name}`);

/** Names of a page's start that the file writes itself. */
function namesIn(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  // The templates have the elements that the build and the server fill.
  const own: readonly string[] = file.endsWith('.html') ? [names.ID_CONFIG, names.ID_FILES] : [];
  const isWritten = (word: string) => new RegExp(`["'\`#=]${word}["'\`\\]]`).test(text);
  return [
    ...words.filter((word) => !own.includes(word) && isWritten(word)),
    ...globals.filter((name) => text.includes(name)),
  ];
}

test('no other file writes a name of the page’s start', () => {
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.flatMap((file) => namesIn(file).map((name) => `${file}: ${name}`))).toEqual([]);
});
