import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../config';

const tsx = pathToFileURL(createRequire(join(ROOT, 'package.json')).resolve('tsx')).href;

/** For tests: Node's options to run a TypeScript file in a process of its own, with the options of this process. */
export const TYPESCRIPT = [...process.execArgv, '--import', tsx];

/** For tests: Node's arguments to run one of the server's programs, or of the operator's commands, as it is shipped. */
export const shipped = (name: 'main' | 'admin' | 'backup' | 'restore'): string[] => [
  ...process.execArgv,
  join(ROOT, 'api/dist', `${name}.mjs`),
];
