/**
 * Releases kept by `npm run keep:release` for e2e/specs/releases.spec.ts: the text files of a build's `dist`, in one
 * compressed file for the remotes and one for the shell.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compare } from 'semver';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

// Not import.meta: Playwright imports this file too, as CommonJS.
export const RELEASES = path.resolve(__dirname, '../../e2e/fixtures/releases');
export type Part = 'remotes' | 'shell';
export const fileOf = (version: string, part: Part): string => path.join(RELEASES, version, `${part}.json.br`);

/** Kept copy of the release's shared/surface.txt. */
export const surfaceOf = (version: string): string => path.join(RELEASES, version, 'surface.txt');

/** `1.2` of `1.2.3`. */
export const minorOf = (version: string): string => version.replace(/\.\d+$/, '');

/** Versions of `@pool/shared` whose remotes are kept, the oldest first. */
export const keptReleases = (): string[] => (existsSync(RELEASES) ? readdirSync(RELEASES).sort(compare) : []);

/** `names`: paths below `dist`. */
export function keep(version: string, part: Part, dist: string, names: readonly string[]): void {
  const texts = Object.fromEntries(names.map((name) => [name, readFileSync(path.join(dist, name), 'utf8')]));
  const content = Buffer.from(JSON.stringify(texts));
  const file = fileOf(version, part);
  mkdirSync(path.dirname(file), { recursive: true });
  // A window of 16 MB: text that several files repeat is stored once.
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  writeFileSync(file, brotliCompressSync(content, { params }));
}

/** A file that names other files: a remote's pointer, a page of the shell. */
const isPointer = (name: string): boolean => /current\.json$|\.html$/.test(name);

/**
 * Writes the files of a kept release into `dist`, each atomically, those that name others last: a server may be reading.
 * Other files stay.
 */
export function deploy(version: string, part: Part, dist: string): void {
  const content = brotliDecompressSync(readFileSync(fileOf(version, part))).toString();
  const texts = Object.entries(JSON.parse(content) as Record<string, string>);
  for (const [name, text] of texts.sort(([a], [b]) => Number(isPointer(a)) - Number(isPointer(b)))) {
    const file = path.join(dist, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(`${file}.tmp`, text);
    renameSync(`${file}.tmp`, file);
  }
}
