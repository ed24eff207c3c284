/** What a version has to meet before it is served: intact files, a path of its own, and a shell it fits. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { satisfies } from 'semver';
import type { RemoteManifest } from '../../shared/src/contract';
import { filesBelow, REMOTES_DIST, ROOT, sha384 } from '../build/files';
import { namesIn } from '../surface/compare';

/** Files of the version that are missing or changed. `folder`: of the version. */
export const damagedFiles = ({ name, version, files = {} }: RemoteManifest, folder: string): string[] =>
  Object.entries(files).flatMap(([url, hash]) => {
    const file = path.join(folder, url.slice(`/remotes/${name}/${version}/`.length));
    return existsSync(file) && sha384(readFileSync(file)) === hash ? [] : [path.relative(folder, file)];
  });

/** The surface of `@pool/shared` of the shell that is deployed beside the remotes; null: none is, or an older one. */
function deployedSurface(): string | null {
  const file = path.join(REMOTES_DIST, '../shell/surface.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/** Names of `@pool/shared` that the sources of a remote use and `surface` does not have. */
function missingNames(name: string, surface: string): string[] {
  const known = new Set(namesIn(surface));
  const fresh = namesIn(readFileSync(path.join(ROOT, 'shared/surface.txt'), 'utf8')).filter((each) => !known.has(each));
  const folder = path.join(ROOT, `mfe-${name}/src`);
  const code = filesBelow(folder)
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n');
  const words = new Set(code.match(/[\w$-]+/g));
  return [...new Set(fresh.map((each) => each.split(' · ')[1] ?? ''))].filter((each) => words.has(each));
}

/**
 * Throws when the deployed shell cannot run the version. `withSources`: it was built from this checkout, so that what it
 * uses of a `@pool/shared` that is not released yet is compared too.
 */
export function assertFits({ name, version, contract, shared }: RemoteManifest, withSources = false): void {
  const surface = deployedSurface();
  if (surface === null) return;
  const has = /^@pool\/shared (\d+\.\d+\.\d+)/.exec(surface)?.[1] ?? '';
  const speaks = Number(/^CONTRACT: CONTRACT = (\d+)/m.exec(surface)?.[1]);
  const refuse = (why: string): never => {
    throw new Error(`${name} ${version} does not fit the deployed shell: ${why}`);
  };
  if (contract !== speaks) refuse(`contract ${contract}, the shell has ${speaks}`);
  if (!satisfies(has, shared)) refuse(`@pool/shared ${shared}, the shell has ${has}`);
  const missing = withSources ? missingNames(name, surface) : [];
  if (missing.length > 0) refuse(`its @pool/shared lacks ${missing.join(', ')}. Deploy the shell first`);
}
