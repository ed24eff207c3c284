import path from 'node:path';
import { createRequire } from 'node:module';
import { copyCompressed } from './compress';
import { DIST, filesBelow, readJson, ROOT } from './files';

/** clerk-js is served by the pool (no third-party requests); only the browser builds and their chunks. */
export async function copyClerk(): Promise<string> {
  const folder = path.dirname(createRequire(path.join(ROOT, 'api/src/')).resolve('@clerk/clerk-js/package.json'));
  const { version } = readJson<{ version: string }>(path.join(folder, 'package.json'));
  const from = path.join(folder, 'dist');
  const names = filesBelow(from).filter((name) => /clerk(\.headless)?\.browser.*\.js$/.test(name));
  await copyCompressed(from, names, path.join(DIST, 'vendor/clerk-js', version));
  return version;
}
