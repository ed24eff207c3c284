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
