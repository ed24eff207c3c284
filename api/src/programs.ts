/** The server's programs that run in processes of their own: from the sources, or from the bundle of a build. */
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ROOT } from './config';

const isBundled = fileURLToPath(import.meta.url).endsWith('.mjs');

/** File of a program, and Node's options to run it. `source`: below `api/src`. */
export function program(source: string): { file: string; execArgv: string[] } {
  if (isBundled) return { file: join(ROOT, 'api/dist', `${basename(source, '.ts')}.mjs`), execArgv: [] };
  const tsx = createRequire(join(ROOT, 'package.json')).resolve('tsx');
  return { file: join(ROOT, 'api/src', source), execArgv: ['--import', pathToFileURL(tsx).href] };
}
