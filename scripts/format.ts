/** Formats remotes as this tree is formatted, for a repository of remotes: here `npm run format` does it. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { FORMAT, ROOT } from './build/files';
import { unitsNamed } from './build/names';
import { runCommand } from './command-line.mjs';

void runCommand(
  { name: 'format', takes: '[remotes...]', what: 'Formats all remotes of this repository, or these.' },
  ({ positionals }) => {
    const command = path.join(ROOT, 'node_modules/.bin/oxfmt');
    process.exitCode =
      spawnSync(command, [...FORMAT, ...unitsNamed(positionals)], { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
  },
);
