/** Formatting, types and rules, what nothing uses, the surface of shared; stops at the first that fails. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ROOT } from './build/files';
import { runCommand } from './command-line.mjs';

const STEPS: [string, ...string[]][] = [
  ['oxfmt', '--check'],
  ['oxlint', '--config', 'oxlint.config.mjs'],
  ['knip', '--no-progress'],
  ['tsx', 'scripts/surface.ts'],
];

void runCommand({ name: 'lint', what: 'Formatting, types, rules, what nothing uses, the surface of shared.' }, () => {
  const fails = ([name, ...args]: (typeof STEPS)[number]): boolean =>
    spawnSync(path.join(ROOT, 'node_modules/.bin', name), args, { cwd: ROOT, stdio: 'inherit' }).status !== 0;
  if (STEPS.some(fails)) process.exitCode = 1;
});
