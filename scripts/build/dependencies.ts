/** Lists of the packages of production (`dist/dependencies.csv`) and of their licences. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DIST, hashOf, readJson, ROOT, writeFileWhole } from './files';

type Locked = { version?: string; license?: string; dev?: boolean; link?: boolean };
export type Dependency = { place: string; name: string; version: string; license: string };

const LOCK = path.join(ROOT, 'package-lock.json');
const FILE = path.join(DIST, 'dependencies.csv');
const LICENSES = path.join(DIST, 'third-party-licenses.txt');

export function dependencies(): Dependency[] {
  const { packages } = readJson<{ packages: Record<string, Locked> }>(LOCK);
  return Object.entries(packages)
    .filter(([place, { dev, link }]) => place.includes('node_modules/') && !dev && !link)
    .map(([place, { version = '', license = '' }]) => {
      return { place, name: place.replace(/.*node_modules\//, ''), version, license };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Each licence once, below the packages that have it; optional packages of other platforms are not installed. */
export function licenseTexts(all: readonly Dependency[]): string {
  const packagesOf = new Map<string, string[]>();
  for (const { place, name, version, license } of all) {
    const folder = path.join(ROOT, place);
    if (!existsSync(folder)) continue;
    const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
    const texts = files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
    const text = texts.join('\n\n') || `License: ${license}`;
    packagesOf.set(text, [...(packagesOf.get(text) ?? []), `${name} ${version}`]);
  }
  return [...packagesOf].map(([text, names]) => `${names.join(', ')}\n\n${text}\n`).join(`\n${'-'.repeat(80)}\n`);
}

/**
 * Writes the lists when the lock file has changed since; the first line names the lock file's hash. Other package
 * managers, which a team may have, write down no licences.
 */
export function listDependencies(): void {
  if (!existsSync(LOCK)) return;
  const stamp = `lock file ${hashOf([readFileSync(LOCK)])}`;
  if (existsSync(LICENSES) && existsSync(FILE) && readFileSync(FILE, 'utf8').includes(stamp)) return;
  const all = dependencies();
  const rows = all.map(({ name, version, license }) => [name, version, license].join(','));
  writeFileWhole(LICENSES, licenseTexts(all));
  writeFileWhole(FILE, `${[`package,version,licence (${stamp})`, ...rows].join('\n')}\n`);
}
