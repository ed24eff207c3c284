/** What `npm run dev` serves, in a folder of its own: nothing that is deployed elsewhere changes. */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { manifestFrom } from '../../api/src/remotes/manifest';
import type { RemotePointer } from '../../shared/src/contract/dist-layout';
import { readJson, REMOTES_DIST, ROOT, writeJson } from '../build/files';
import { writeTexts } from '../build/locales';
import { devManifest } from './own-remote';

export const DEV_DIST = path.join(ROOT, '.cache/dev/dist');
export const DEV_REMOTES = path.join(DEV_DIST, 'remotes');

/** Copies the deployed version of each remote but `developed`. Returns the names of those copied. */
export function copyDeployed(developed: readonly string[]): string[] {
  rmSync(DEV_DIST, { recursive: true, force: true });
  mkdirSync(path.join(DEV_DIST, 'shell/assets'), { recursive: true });
  mkdirSync(DEV_REMOTES);
  const names = existsSync(REMOTES_DIST) ? readdirSync(REMOTES_DIST) : [];
  return names.filter((name) => {
    const pointer = path.join(REMOTES_DIST, name, 'current.json');
    if (developed.includes(name) || !existsSync(pointer)) return false;
    const { version } = readJson<RemotePointer>(pointer);
    cpSync(path.join(REMOTES_DIST, name, version), path.join(DEV_REMOTES, name, version), { recursive: true });
    writeJson(path.join(DEV_REMOTES, name, 'current.json'), { version } satisfies RemotePointer);
    return true;
  });
}

const served = new Map<string, string>();

/** Serves a remote's manifest and texts as they are now. Throws with the faults for which the server would not list it. */
export function deployRemote(name: string): void {
  const manifest = devManifest(name, (version) => `/remotes/${name}/${version}/`);
  const { version } = manifest;
  manifestFrom(name, version, manifest, []);
  // The page waits for this after most edits of code.
  if (served.get(name) === version) return;
  const folder = path.join(DEV_REMOTES, name, version);
  writeTexts([`mfe-${name}`], path.join(folder, 'locales'));
  writeJson(path.join(folder, 'manifest.json'), manifest);
  writeJson(path.join(DEV_REMOTES, name, 'current.json'), { version } satisfies RemotePointer);
  served.set(name, version);
}
