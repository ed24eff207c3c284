/** The server's programs that run in processes of their own: from the sources, or from the bundle of a build. */
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ROOT } from '../root';

/** Tests set SERVER_BUNDLE, to save the time of reading the sources. */
const isBundled = fileURLToPath(import.meta.url).endsWith('.mjs') || process.env.SERVER_BUNDLE !== undefined;

export const fromSource = (): string[] => [
  '--import',
  pathToFileURL(createRequire(join(ROOT, 'package.json')).resolve('tsx')).href,
];

/** File of a program, and Node's options to run it. `source`: below `api/src`. */
export const program = (source: string): { file: string; execArgv: string[] } =>
  isBundled
    ? { file: join(ROOT, 'api/dist', `${basename(source, '.ts')}.mjs`), execArgv: [] }
    : { file: join(ROOT, 'api/src', source), execArgv: fromSource() };
