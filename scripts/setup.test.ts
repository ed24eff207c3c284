/** The first start in a fresh clone, with an npm that only writes down what it is asked for. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from './build/files';

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(path.join(tmpdir(), 'clone-'));
  mkdirSync(path.join(clone, 'scripts'));
  for (const file of ['setup.mjs', 'browser.cjs'])
    cpSync(path.join(ROOT, 'scripts', file), path.join(clone, 'scripts', file));
  writeFileSync(path.join(clone, 'package-lock.json'), '{}');
  writeFileSync(
    path.join(clone, 'npm'),
    `#!/bin/sh
    echo "$@" >>asked
    [ -z "$BROKEN" ] && mkdir -p node_modules/tsx && case "$*" in *--workspaces*) ;; *) mkdir -p node_modules/jest ;; esac
    `,
  );
  chmodSync(path.join(clone, 'npm'), 0o755);
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

const install = (env: Record<string, string> = {}, options = ''): unknown =>
  execFileSync(
    process.execPath,
    ['--input-type=module', '--eval', `(await import('./scripts/setup.mjs')).ensureInstalled(${options})`],
    { cwd: clone, env: { ...env, NODE_ENV: 'production', PATH: `${clone}:${process.env.PATH}` }, stdio: 'ignore' },
  );
const asked = (): string[] => readFileSync(path.join(clone, 'asked'), 'utf8').trim().split('\n');

it('NODE_ENV=production installs what builds the pages too, once', () => {
  install();
  install();
  expect(asked()).toEqual(['ci --workspaces --include=dev --loglevel=error']);
});

it('tools of tests are added to what is there, once, and stay when the lock file changes', () => {
  install();
  install({}, '{ tools: true }');
  install({}, '{ tools: true }');
  writeFileSync(path.join(clone, 'package-lock.json'), '{ }');
  install();
  expect(asked().slice(1)).toEqual([
    'install --no-save --include=dev --loglevel=error',
    'ci --include=dev --loglevel=error',
  ]);
});

it('a folder without them is installed again, whatever its stamp says', () => {
  install();
  rmSync(path.join(clone, 'node_modules/tsx'), { recursive: true });
  install();
  expect(asked()).toHaveLength(2);
});

it('an installation that fails leaves no stamp', () => {
  expect(() => install({ BROKEN: '1' })).toThrow();
  expect(existsSync(path.join(clone, 'node_modules/.installed-lock'))).toBe(false);
});
