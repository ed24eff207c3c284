/** The service worker, with the name of the shell's build and the files of its first view written in front of it. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writeFileWhole } from './files';
import { outputOf, statsOf } from './units';

/** Fetched with the first view, although only a saved page uses it: then there is no network. */
const SAVED_PAGE = 'saved-page';

/** `build`: the shell's name, as its pages have it. Null: no worker (`npm run dev`); browsers then remove theirs. */
export function publishServiceWorker(shell: string, build: string | null): void {
  const target = path.join(shell, 'service-worker.js');
  if (build === null || !existsSync(outputOf('service-worker'))) return rmSync(target, { force: true });
  const [script = ''] = statsOf('service-worker').entry;
  const { entry, groups } = statsOf('shell');
  const files = [...new Set([...entry, ...(groups[SAVED_PAGE] ?? [])])].map((name) => `/assets/${name}`);
  const code = readFileSync(path.join(outputOf('service-worker'), script), 'utf8');
  writeFileWhole(target, `self.poolBuild=${JSON.stringify({ name: build, files })};\n${code}`);
}
