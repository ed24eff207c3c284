/** Checks types while sources change: `tsc --watch` of the named units and what they import. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { COMMANDS, ROOT, writeJson } from '../build/files';

/** Folder with the types of styles; in the package it is a part of the commands. */
const TYPES = path.join(COMMANDS, existsSync(path.join(COMMANDS, 'types')) ? 'types' : '../types');

/** `report` gets all type errors after each check. */
export function watchTypes(folders: readonly string[], report: (errors: string[]) => void): void {
  const config = path.join(ROOT, '.cache/dev/tsconfig.json');
  writeJson(config, {
    extends: '../../tsconfig.json',
    compilerOptions: { tsBuildInfoFile: 'tsbuildinfo' },
    include: [...folders, TYPES, path.join(COMMANDS, 'dev/page')].map((folder) => path.resolve(ROOT, folder)),
  });
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const child = spawn(
    process.execPath,
    [compiler, '--watch', '--preserveWatchOutput', '--pretty', 'false', '-p', config],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let errors: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (/^.+\(\d+,\d+\): error TS\d+: /.test(line)) errors.push(line);
    // More about the error above.
    else if (line.startsWith('  ') && errors.length > 0) errors.push(`${errors.pop()}\n${line}`);
    else if (/ Found \d+ errors?\./.test(line)) {
      report(errors);
      errors = [];
    }
  });
  process.on('exit', () => child.kill());
}
