import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ROOT } from './build/files';
import { runCommand } from './command-line.mjs';

void runCommand({ name: 'format', what: 'Formats all files with oxfmt.' }, () => {
  const { status } = spawnSync(path.join(ROOT, 'node_modules/.bin/oxfmt'), { cwd: ROOT, stdio: 'inherit' });
  process.exitCode = status ?? 1;
});
