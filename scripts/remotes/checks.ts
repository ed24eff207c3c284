/** What a version has to meet before it is served: intact files, a path of its own, and a shell it fits. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { satisfies } from 'semver';
import type { RemoteManifest } from '../../shared/src/contract';
import { lackingIn, versionIn } from '../../api/src/remotes/surface';
import { REMOTES_DIST, sha384 } from '../build/files';

/** Files of the version that are missing or changed. `folder`: of the version. */
export const damagedFiles = ({ name, version, files = {} }: RemoteManifest, folder: string): string[] =>
  Object.entries(files).flatMap(([url, hash]) => {
    const file = path.join(folder, url.split(`/remotes/${name}/${version}/`)[1] ?? url);
    return existsSync(file) && sha384(readFileSync(file)) === hash ? [] : [path.relative(folder, file)];
  });

/** The surface of `@pool/shared` of the shell that is deployed beside the remotes; null: none is, or an older one. */
function deployedSurface(): string | null {
  const file = path.join(REMOTES_DIST, '../shell/surface.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/** What a version uses of `@pool/shared`, by the names of its surface. Older builds have no such list. */
function usesIn(folder: string): string {
  const file = path.join(folder, 'uses.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Throws when the deployed shell cannot run the version in `folder`. */
export function assertFits({ name, version, contract, shared }: RemoteManifest, folder: string): void {
  const surface = deployedSurface();
  if (surface === null) return;
  const has = versionIn(surface);
  const speaks = Number(/^CONTRACT: CONTRACT = (\d+)/m.exec(surface)?.[1]);
  const refuse = (why: string): never => {
    throw new Error(`${name} ${version} does not fit the deployed shell: ${why}`);
  };
  if (contract !== speaks) refuse(`contract ${contract}, the shell has ${speaks}`);
  if (!satisfies(has.replace(/-.*/, ''), shared)) refuse(`@pool/shared ${shared}, the shell has ${has}`);
  const lacking = lackingIn(usesIn(folder), surface);
  if (lacking.length > 0) refuse(`its @pool/shared ${has} lacks ${lacking.join(', ')}. Deploy the shell first`);
}
