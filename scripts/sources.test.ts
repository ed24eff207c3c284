/** Rules for the text of the sources that no lint rule can say. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './build/files';

const tracked = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n');

test('no line of code is longer than 120 columns, strings and patterns apart', () => {
  const long = (line: string): boolean => line.length > 120 && !/['"`]|https?:|\/.*\//.test(line);
  const hasLong = (file: string): boolean => readFileSync(path.join(ROOT, file), 'utf8').split('\n').some(long);
  expect(tracked('*.ts', '*.tsx', '*.mjs', '*.cjs').filter(hasLong)).toEqual([]);
});

describe('remotes leave the page to each other', () => {
  const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

  test('their styles are of their own classes', () => {
    const files = tracked('mfe-*/src/**/*.css');
    expect(files.filter((file) => !file.endsWith('.module.css'))).toEqual([]);
    // Each selector of a rule; a direction or mode of the page may stand before a class of the remote.
    const selectors = files.flatMap((file) =>
      [
        ...textOf(file)
          .replace(/\/\*[^]*?\*\//g, '')
          .matchAll(/([^{};]+)\{/g),
      ].flatMap(([, list = '']) =>
        list.trim().startsWith('@') ? [] : list.split(/,(?![^(]*\))/).map((selector) => `${file}: ${selector.trim()}`),
      ),
    );
    const isOwn = (selector: string) =>
      /\.[a-z]/.test(selector.split(': ')[1]!.replace(/:global\(([^()]|\([^()]*\))*\)/g, '')) ||
      /: (from|to|[\d.]+%|&.*)$/.test(selector);
    expect(selectors.filter((selector) => !isOwn(selector))).toEqual([]);
  });

  test('keys of queries that two of them use are in shared', () => {
    const users = new Map<string, Set<string>>();
    for (const file of tracked('mfe-*/src/**/*.ts', 'mfe-*/src/**/*.tsx').filter((each) => !/test\.tsx?$/.test(each)))
      for (const [, key = ''] of textOf(file).matchAll(/queryKey: \[\s*('[\w-]+'(?:, '[\w-]+')*)/g))
        users.set(key, (users.get(key) ?? new Set()).add(file.split('/')[0] ?? ''));
    expect([...users].filter(([, remotes]) => remotes.size > 1).map(([key, remotes]) => [key, ...remotes])).toEqual([]);
  });
});
