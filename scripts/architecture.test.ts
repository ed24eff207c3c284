/** The tree is as docs/architecture.md describes it: imports between folders, without cycles. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { folders, graph, importsOf, isTest, PAGE, production, ROW, sources } from './architecture';
import { ROOT } from './build/files';

const tracked = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n');

/** A cyclic path through the graph; null without one. */
function findCycle(): string[] | null {
  const done = new Set<string>();
  const visit = (unit: string, trail: string[]): string[] | null => {
    if (trail.includes(unit)) return [...trail.slice(trail.indexOf(unit)), unit];
    if (done.has(unit)) return null;
    for (const next of graph.get(unit) ?? []) {
      const cycle = visit(next, [...trail, unit]);
      if (cycle) return cycle;
    }
    done.add(unit);
    return null;
  };
  for (const unit of graph.keys()) {
    const cycle = visit(unit, []);
    if (cycle) return cycle;
  }
  return null;
}

test('no cycle between folders of the server', () => expect(findCycle()).toBeNull());

test('what runs in production imports no test helper', () => {
  const wrong = production.filter((file) => importsOf(file).some(isTest));
  expect(wrong.map((file) => path.relative(ROOT, file))).toEqual([]);
});

test('test helpers live in testing folders', () => {
  expect(sources.filter((file) => path.basename(file).startsWith('testing-'))).toEqual([]);
});

test('no line of code is longer than 120 columns, strings and patterns apart', () => {
  const long = (line: string): boolean => line.length > 120 && !/['"`]|https?:|\/.*\//.test(line);
  const hasLong = (file: string): boolean => readFileSync(path.join(ROOT, file), 'utf8').split('\n').some(long);
  expect(tracked('*.ts', '*.tsx', '*.mjs', '*.cjs').filter(hasLong)).toEqual([]);
});

test('docs/architecture.md names every folder and what each imports', () => {
  const rows = [...readFileSync(PAGE, 'utf8').matchAll(ROW)].map(([, folder, , imported]) => [folder, imported]);
  expect(rows).toEqual([...folders]);
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
