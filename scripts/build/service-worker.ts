/** The service worker, with the name of the shell's build written in front of it. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writeFileWhole } from './files';
import { outputOf, statsOf } from './units';

/** `build`: the shell's name, as its pages have it. Null: no worker (`npm run dev`); browsers then remove theirs. */
export function publishServiceWorker(shell: string, build: string | null): void {
  const target = path.join(shell, 'service-worker.js');
  if (build === null || !existsSync(outputOf('service-worker'))) return rmSync(target, { force: true });
  const [script = ''] = statsOf('service-worker').entry;
  const code = readFileSync(path.join(outputOf('service-worker'), script), 'utf8');
  writeFileWhole(target, `self.poolBuild=${JSON.stringify(build)};\n${code}`);
}
