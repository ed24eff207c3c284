/** What a version has to meet before it is served: intact files, a path of its own, and a shell it fits. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { satisfies } from 'semver';
import type { RemoteManifest } from '../../shared/src/contract';
import { lackingIn, linesIn, nameOf, versionIn } from '../../api/src/remotes/surface';
import { mostBytes } from '../../api/src/remotes/own-file';
import { DIST, filesBelow, REMOTES_DIST, sha384 } from '../build/files';

/** Files of the version that are missing or changed. `folder`: of the version. */
export const damagedFiles = ({ name, version, files = {} }: RemoteManifest, folder: string): string[] =>
  Object.entries(files).flatMap(([url, hash]) => {
    const file = path.join(folder, url.split(`/remotes/${name}/${version}/`)[1] ?? url);
    return existsSync(file) && sha384(readFileSync(file)) === hash ? [] : [path.relative(folder, file)];
  });

/** What all code of a remote may weigh for its readers, compressed: the largest of the pool's own has a fifteenth. */
const MOST_BYTES = 1_000_000;

/** Throws when its scripts and styles are too much to be fetched, or the pool reads no such file. `folder`: of the version. */
export function assertSmall({ name, version }: RemoteManifest, folder: string): void {
  const all = new Map(filesBelow(folder).map((file) => [file, statSync(path.join(folder, file)).size]));
  for (const [file, bytes] of all)
    if (bytes > mostBytes(`/${file}`))
      throw new Error(`${name} ${version}: ${file} is larger than ${mostBytes(`/${file}`)} bytes`);
  const fetched = [...all]
    .filter(([file]) => /\.(js|css)$/.test(file))
    .map(([file, bytes]) => ({ file, bytes: all.get(`${file}.br`) ?? bytes }))
    .toSorted((a, b) => b.bytes - a.bytes);
  const sum = fetched.reduce((before, { bytes }) => before + bytes, 0);
  if (sum <= MOST_BYTES) return;
  const mega = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  throw new Error(
    `${name} ${version} is too large: ${mega(sum)} compressed, at most ${mega(MOST_BYTES)}; ${fetched[0]?.file} has ${mega(fetched[0]?.bytes ?? 0)}`,
  );
}

/** The surface of `@pool/shared` of the shell that is deployed beside the remotes, or in this tree; null: none is. */
export function deployedSurface(): string | null {
  const files = [path.join(REMOTES_DIST, '..'), DIST].map((dist) => path.join(dist, 'shell/surface.txt'));
  const file = files.find((each) => existsSync(each));
  return file ? readFileSync(file, 'utf8') : null;
}

/** What a version uses of `@pool/shared`, by the names of its surface. Older builds have no such list. */
export function usesIn(folder: string): string {
  const file = path.join(folder, 'uses.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Throws when the shell with this surface, by default the deployed one, cannot run the version in `folder`. */
export function assertFits(
  { name, version, contract, shared }: RemoteManifest,
  folder: string,
  surface = deployedSurface(),
): void {
  if (surface === null) return;
  const has = versionIn(surface);
  const speaks = Number(/^CONTRACT: CONTRACT = (\d+)/m.exec(surface)?.[1]);
  const refuse = (why: string): never => {
    throw new Error(`${name} ${version} does not fit the shell: ${why}`);
  };
  if (contract !== speaks) refuse(`contract ${contract}, the shell has ${speaks}`);
  if (!satisfies(has.replace(/-.*/, ''), shared)) refuse(`@pool/shared ${shared}, the shell has ${has}`);
  const lacking = lackingIn(usesIn(folder), surface);
  if (lacking.length > 0) refuse(`its @pool/shared ${has} lacks ${lacking.join(', ')}. Deploy the shell first`);
}

/** Types and values have a name that other lines mention; calls, texts and variables have none. */
const mentionedAs = (line: string): string =>
  /^(?:@pool\/shared\S*|What they mention beside) · (?:type |interface |class )?([\w$]+)/.exec(line)?.[1] ?? line;

/** Names of a surface that another one has not, has otherwise, or that mention such a name. */
export function changedNames(before: string, now: string): Set<string> {
  const kept = new Set(linesIn(now));
  const lines = linesIn(before);
  const mentions = new Map(
    lines.map((line) => [
      line,
      [...line.matchAll(/\btypeof (\w+)|\b([A-Z]\w*)/g)].map(([, of, type]) => of ?? type ?? ''),
    ]),
  );
  const changed = new Set(lines.filter((line) => !kept.has(line)));
  // Lines that are added meanwhile are walked too.
  for (const line of changed) {
    const name = mentionedAs(line);
    for (const [other, mentioned] of mentions) if (mentioned.includes(name)) changed.add(other);
  }
  return new Set([...changed].map(nameOf));
}
