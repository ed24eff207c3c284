/** Rules for the text of the sources that no lint rule can say. */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './build/files';
import { ACCOUNT_EVENTS } from '../api/src/identity/people/users';
import { POOL_ACTIONS } from '../shared/src/ui/audit/action-filter';
import words from '../shared/locales/audit.en.json';
import { REMOTES, UNITS, unitsNamed } from './build/names';

const tracked = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n');

test('no line of code is longer than 120 columns, strings and patterns apart', () => {
  const long = (line: string): boolean => line.length > 120 && !/['"`]|https?:|\/.*\//.test(line);
  const hasLong = (file: string): boolean => readFileSync(path.join(ROOT, file), 'utf8').split('\n').some(long);
  expect(tracked('*.ts', '*.tsx', '*.mjs', '*.cjs').filter(hasLong)).toEqual([]);
});

test('texts are as large as the reader of the browser wants them: no size of a text is in pixels', () => {
  const inPixels = /(?<![\w-])(?:font|font-size|line-height|fontSize|lineHeight): ?['"\d][^;},]*\dpx/;
  const files = tracked('shared/src/**/*.css', 'shell/src/**/*.css', 'mfe-*/src/**/*.css', 'shell/src/auth/*.ts');
  expect(files.filter((file) => inPixels.test(readFileSync(path.join(ROOT, file), 'utf8')))).toEqual([]);
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

test('rows are read by the functions that name their columns as in code (api/src/platform/db/querier.ts)', () => {
  const reads = (file: string) =>
    /\.query<|\{ rows\b[^=;]*= await [\w.]+\s*\.query\(|\.query\([^;]*\)\)\.rows\b/.test(
      readFileSync(path.join(ROOT, file), 'utf8'),
    );
  const files = tracked('api/src/**/*.ts').filter((file) => !/\.test\.ts$|\/testing\//.test(file) && reads(file));
  // The first copies rows as PostgreSQL's own text.
  expect(files).toEqual(['api/src/ops/copy-database.ts', 'api/src/platform/db/querier.ts']);
});

// The shell takes what remotes there are, and where, from their manifests: it works with others too.
test('no file of the shell names a remote, by its folder or its path', () => {
  const names = REMOTES.join('|');
  const named = new RegExp(`['"\`]/(${names})(?![\\w-])|(mfe-|pool_)(${names})\\b`);
  const files = tracked('shell/src/**/*.ts', 'shell/src/**/*.tsx', 'shell/src/**/*.html');
  const isNamed = (file: string) => named.test(readFileSync(path.join(ROOT, file), 'utf8'));
  expect(files.filter((file) => !/\.test\.tsx?$/.test(file) && isNamed(file))).toEqual([]);
});

describe('words of the audit log', () => {
  const API = path.resolve(__dirname, '../api/src');
  const ACTION = /writeAudit(?:Rows)?\([^'`;]*?'([a-z_]+\.[a-z_]+)'/g;

  test('every action that is named in the sources has words', () => {
    const files = readdirSync(API, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /(?<!\.test)\.ts$/.test(file),
    );
    const actions = files.flatMap((file) =>
      [...readFileSync(path.join(API, file), 'utf8').matchAll(ACTION)].map((match) => match[1]),
    );
    expect(actions.length).toBeGreaterThan(20);
    for (const [group, names] of Object.entries(ACCOUNT_EVENTS))
      actions.push(...names.map((name) => `${group}.${name}`));
    expect(actions.filter((action) => !(`ui.action.${action}` in words))).toEqual([]);
  });

  test('the log can be filtered by every group of actions', () => {
    const groups = Object.keys(words).flatMap((key) => /^ui\.action\.([a-z_]+)/.exec(key)?.[1] ?? []);
    expect(new Set(POOL_ACTIONS)).toEqual(new Set(groups));
    expect(POOL_ACTIONS.filter((group) => !(`ui.audit.group.${group}` in words))).toEqual([]);
  });
});

describe('names of units', () => {
  test('remotes are found by their folders', () => {
    expect(REMOTES).toEqual(expect.arrayContaining(['dashboard', 'workers']));
    expect(UNITS).toEqual(['shell', 'landing', 'service-worker', ...REMOTES.map((name) => `mfe-${name}`)]);
  });

  test('a remote can be named by its folder, or without mfe-', () => {
    expect(unitsNamed(['workers', 'mfe-admin', 'shell', 'mfe-workers'])).toEqual(['shell', 'mfe-admin', 'mfe-workers']);
    expect(unitsNamed([])).toEqual(UNITS);
    expect(() => unitsNamed(['mfe-worker'])).toThrow(`no unit is called 'mfe-worker'. There are: ${UNITS.join(', ')}`);
  });
});
