/** Writes the packages that a repository of remotes needs, as `npm install` takes them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writePackages } from './build/packages';
import { runCommand } from './command-line.mjs';

void runCommand(
  { name: 'packages', takes: '<folder>', what: 'Writes @pool/shared, @pool/build and @pool/testing into a folder.' },
  ({ positionals: [to = ''] }) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'pool-packages-'));
    try {
      writePackages(folder);
      mkdirSync(to, { recursive: true });
      for (const name of ['shared', 'build', 'testing'])
        execFileSync('npm', ['pack', '--silent', '--pack-destination', path.resolve(to), path.join(folder, name)], {
          stdio: ['ignore', 'inherit', 'inherit'],
        });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
