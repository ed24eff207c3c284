/** What the documents name exists: tests, files, commands, settings. And they name all commands, settings and folders. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SETTINGS } from '../api/src/platform/config';
import { USAGE } from '../api/src/ops/commands';
import { faultsIn } from './faults/table';
import { settingsPage } from './settings';

const ROOT = process.cwd();
const NAMED = /`([\w./-]+\.(?:test|spec)\.tsx?)` "([^"]+)"/g;
const FILE = /`[\w./-]+\.(?:test|spec)\.tsx?`/g;
const read = (page: string): string => readFileSync(path.join(ROOT, page), 'utf8');

// Files without a title: this one, in the introductions.
describe.each([
  ['docs/security.md', 1],
  ['docs/operations.md', 0],
  ['docs/asvs.md', 1],
  ['docs/interop.md', 0],
  ['docs/ux-checklist.md', 1],
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

test('docs/operations.md has the faults in the form that npm run faults reads, each with an alarm that its test names, or why nobody is woken', () => {
  const section = read('docs/operations.md').split('\n## Faults\n')[1]?.split('\n## ')[0] ?? '';
  const faults = faultsIn(section);
  expect(faults.length).toBeGreaterThan(30);
  expect(faults).toHaveLength([...section.matchAll(/^\| `/gm)].length);
  expect(faultsIn(read('docs/operations.md'))).toEqual(faults);
  const alarms = [...read('docs/monitoring/alerts.yml').matchAll(/alert: (\w+)/g)].map(([, alarm]) => alarm);
  for (const { alarm, reason, tests } of faults) {
    if (alarm) {
      expect(alarms).toContain(alarm);
      expect(tests.map(({ file }) => read(file)).join('\n')).toContain(`alarm: '${alarm}'`);
    } else expect(reason).toMatch(/^none(?: of its own)?: .{20}/);
  }
});

test('docs/ux-checklist.md shows each of the 45 points', () => {
  const rows = [...read('docs/ux-checklist.md').matchAll(/^\| (\d+) +\|[^|]+\| (.{20,}) \|$/gm)];
  expect(rows.map(([, number]) => Number(number))).toEqual(Array.from({ length: 45 }, (_, i) => i + 1));
});

describe('documents and tree', () => {
  const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  const tops = [...new Set(tracked.flatMap((file) => /^(\w[\w-]*)\//.exec(file)?.[1] ?? []))];
  const pages = tracked.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md');
  const all = pages.map(read).join('\n');
  /** First column of the rows of a table whose first head matches `head`. */
  const column = (text: string, head: string): string =>
    (text.split(new RegExp(`\n\\| ${head} \\|`))[1] ?? '')
      .split('\n\n')[0]
      ?.split('\n')
      .map((row) => row.split('|')[1])
      .join('') ?? '';
  const ticked = (text: string): string[] =>
    [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word);

  test('every path in the documents exists, but for the page that the README adds', () => {
    const paths = ticked(all).filter(
      (word) => tops.some((top) => word.startsWith(`${top}/`)) && /^[\w./-]+$/.test(word),
    );
    expect(paths.length).toBeGreaterThan(100);
    const gone = paths.filter((file) => !existsSync(path.join(ROOT, file)));
    expect([...new Set(gone)]).toEqual(['mfe-workers/src/pages/map/map-page.tsx']);
  });

  test('the README names every folder', () =>
    expect(ticked(column(read('README.md'), 'folder')).sort()).toEqual(
      [...new Set(tops.map((top) => top.replace(/^mfe-.*/, 'mfe-*')))].sort(),
    ));

  test.each(['shell', 'shared'])('docs/architecture.md names every folder of %s/src', (unit) => {
    const folders = tracked.flatMap((file) => new RegExp(`^${unit}/src/([^/]+)/`).exec(file)?.[1] ?? []);
    const named = ticked(column(read('docs/architecture.md'), `folder of (?:the )?${unit}`));
    expect(named.sort()).toEqual([...new Set(folders)].sort());
  });

  test('docs/adr/README.md has every decision, in order', () => {
    const linked = [...read('docs/adr/README.md').matchAll(/\((\d{4}-[\w-]+\.md)\)/g)].map(([, file]) => file);
    expect(linked).toEqual(pages.flatMap((file) => /^docs\/adr\/(\d.*)/.exec(file)?.[1] ?? []));
  });

  test('docs/settings.md is what npm run settings writes', () => expect(read('docs/settings.md')).toBe(settingsPage()));

  test('every setting in the README exists', () => {
    const named = ticked(column(read('README.md'), 'setting'));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !SETTINGS.includes(name))).toEqual([]);
  });

  test('every command in the documents exists, and each is named', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...all.matchAll(/\bnpm (?:run )?((?<=run )[a-z][\w:]*|start|test)/g)].map(([, name]) => name);
    expect(named.filter((name) => !(name && name in scripts))).toEqual([]);
    const words = new Set([...named, ...ticked(all).map((word) => word.replace('npm ', ''))]);
    expect(Object.keys(scripts).filter((name) => !words.has(name))).toEqual([]);
  });

  test("docs/operations.md has every command of the operator's, and no other", () => {
    const named = ticked(column(read('docs/operations.md'), 'command')).map((word) => word.split(' ', 1)[0]);
    const known = [...USAGE.matchAll(/^ +([a-z-]+)/gm)].map(([, name]) => name);
    expect([...new Set(named)].sort()).toEqual([...new Set(known)].sort());
  });
});
