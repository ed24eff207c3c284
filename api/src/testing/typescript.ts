import { join } from 'node:path';
import { ROOT } from '../root';
import { fromSource } from '../programs';

/** For tests: Node's options to run a TypeScript file in a process of its own, with the options of this process. */
export const TYPESCRIPT = [...process.execArgv, ...fromSource()];

/** For tests: Node's arguments to run one of the server's programs, or of the operator's commands, as it is shipped. */
export const shipped = (name: 'main' | 'admin' | 'backup' | 'restore', root = ROOT): string[] => [
  ...process.execArgv,
  join(root, 'api/dist', `${name}.mjs`),
];
