import { join } from 'node:path';
import { ROOT } from '../root';
import { fromSource } from '../platform/programs';

/** Test helper: Node's options to run a TypeScript file in a process of its own, with the options of this process. */
export const TYPESCRIPT = [...process.execArgv, ...fromSource()];

/** Test helper: Node's arguments to run a program of the server, or a command of the operator, as it is shipped. */
export const shipped = (name: 'main' | 'admin' | 'backup' | 'restore', root = ROOT): string[] => [
  ...process.execArgv,
  join(root, 'api/dist', `${name}.mjs`),
];
