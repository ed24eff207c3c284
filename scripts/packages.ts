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
      const written = ['shared', 'build', 'testing'].map((name) => path.join(folder, name));
      execFileSync('npm', ['pack', '--silent', '--pack-destination', to, ...written], { stdio: 'inherit' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
