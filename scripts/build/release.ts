/** Releases kept for e2e/specs/releases.spec.ts: the texts of a build's `dist`, compressed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { compare, valid } from 'semver';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { ROOT, writeFileWhole } from './files';

export const RELEASES = path.join(ROOT, 'e2e/fixtures/releases');
/** `types`: declarations of `@pool/shared`, and sources of the remotes. */
export type Part = 'remotes' | 'shell' | 'types';
export const DECLARED = 'declared.json';
export const fileOf = (version: string, part: Part): string => path.join(RELEASES, version, `${part}.json.br`);

export const surfaceOf = (version: string): string => path.join(RELEASES, version, 'surface.txt');

/** `1.2` of `1.2.3`. */
export const minorOf = (version: string): string => version.replace(/\.\d+$/, '');

export const keptReleases = (): string[] =>
  readdirSync(RELEASES)
    .filter((name) => valid(name))
    .sort(compare);

export function keep(version: string, part: Part, texts: Readonly<Record<string, string>>): void {
  const content = Buffer.from(JSON.stringify(texts));
  // A window of 16 MB: text that several files repeat is stored once.
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  writeFileWhole(fileOf(version, part), brotliCompressSync(content, { params }));
}

/** A file that names other files: a remote's pointer, a page of the shell. */
const isPointer = (name: string): boolean => /current\.json$|\.html$/.test(name);

/** Texts of a kept release, by path; empty where that part is not kept. */
export function textsIn(version: string, part: Part): Record<string, string> {
  const file = fileOf(version, part);
  const content = existsSync(file) ? brotliDecompressSync(readFileSync(file)).toString() : '{}';
  return JSON.parse(content) as Record<string, string>;
}

/** Writes a kept release into `dist`, files that name others last: a server may be reading. */
export function deploy(version: string, part: Part, dist: string): void {
  const files = Object.entries(textsIn(version, part));
  files.sort(([a], [b]) => Number(isPointer(a)) - Number(isPointer(b)));
  for (const [name, text] of files) writeFileWhole(path.join(dist, name), text);
}
