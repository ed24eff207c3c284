/**
 * `dist/dependencies.csv`: each package of production with its version, its licence, and since when the tree has this
 * version. The day it was published would need a request to the registry.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DIST, hashOf, readJson, ROOT, writeFileWhole } from './files';

type Locked = { version?: string; license?: string; dev?: boolean; link?: boolean };
export type Dependency = { name: string; version: string; license: string; since: string };

const LOCK = path.join(ROOT, 'package-lock.json');
const FILE = path.join(DIST, 'dependencies.csv');

/** Day of each version in the lock file, by the package's place in it; empty without git. */
function daysOfVersions(): Map<string, string> {
  const days = new Map<string, string>();
  let blame: string;
  try {
    blame = execFileSync('git', ['blame', '--line-porcelain', 'package-lock.json'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 256 * 1024 * 1024,
    });
  } catch {
    return days;
  }
  let day = '';
  let place = '';
  for (const line of blame.split('\n')) {
    const seconds = /^committer-time (\d+)$/.exec(line)?.[1];
    if (seconds) day = new Date(Number(seconds) * 1000).toISOString().slice(0, 10);
    place = /^\t {4}"([^"]*)": \{$/.exec(line)?.[1] ?? place;
    if (/^\t {6}"version": /.test(line)) days.set(place, day);
  }
  return days;
}

/** Packages that are no tools of development, in order. */
export function dependencies(): Dependency[] {
  const { packages } = readJson<{ packages: Record<string, Locked> }>(LOCK);
  const days = daysOfVersions();
  return Object.entries(packages)
    .filter(([place, { dev, link }]) => place.includes('node_modules/') && !dev && !link)
    .map(([place, { version = '', license = '' }]) => ({
      name: place.replace(/.*node_modules\//, ''),
      version,
      license,
      since: days.get(place) ?? '',
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Writes the list when the lock file has changed since; the first line names the lock file's hash. */
export function listDependencies(): void {
  const stamp = `lock file ${hashOf([readFileSync(LOCK)])}`;
  if (existsSync(FILE) && readFileSync(FILE, 'utf8').includes(stamp)) return;
  const rows = dependencies().map(({ name, version, license, since }) => [name, version, license, since].join(','));
  writeFileWhole(FILE, `${[`package,version,licence,in the tree since (${stamp})`, ...rows].join('\n')}\n`);
}
