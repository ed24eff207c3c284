import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

// Not import.meta: Playwright imports this file too, as CommonJS.
/** The commands: this tree's, or those of the package @pool/build, which is beside @pool/shared. */
export const COMMANDS = path.dirname(__dirname);
export const SHARED = path.resolve(COMMANDS, '../shared');
/** The checkout; with the package, the folder in which a command is started. */
export const ROOT = COMMANDS.includes(`${path.sep}node_modules${path.sep}`) ? process.cwd() : path.dirname(COMMANDS);
/** Folders as the server resolves them (api/src/platform/config.ts): a team deploys into the folder its pool serves. */
export const DIST = path.resolve(ROOT, process.env.DIST_DIR || 'dist');
export const REMOTES_DIST = path.resolve(ROOT, process.env.REMOTES_DIR || path.join(DIST, 'remotes'));

const hasFormat = ['.oxfmtrc.json', '.oxfmtrc.jsonc', 'oxfmt.config.ts'].some((name) =>
  existsSync(path.join(ROOT, name)),
);
/** Options of oxfmt: as this tree formats, where the repository does not say it otherwise, and no builds. */
export const FORMAT = [...(hasFormat ? [] : ['--config', path.join(COMMANDS, '.oxfmtrc.json')]), '!**/dist/**'];

/** The entries of `folder`; none when it does not exist. */
export const entriesOf = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** All files below `folder`, as sorted relative paths; none when it does not exist. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(path.join(folder, name)).isFile())
    .sort();
}

/** Files of code: a remote may be written in JavaScript too. */
export const SCRIPT = /\.[jt]sx?$/;

export type Source = { file: string; code: string };
/** The sources below `folder`, without tests. */
export const sourcesIn = (folder: string, files = SCRIPT): Source[] =>
  filesBelow(folder)
    .filter((file) => files.test(file) && !/\.test\.\w+$/.test(file))
    .map((file) => ({ file, code: readFileSync(path.join(folder, file), 'utf8') }));

export const linksBelow = (folder: string): string[] =>
  (existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [])
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));

export function hashOf(parts: Iterable<string | Buffer>): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 12);
}

/** Short hash of names and contents. A missing file counts too: the hash changes when it is created. */
export const hashOfFiles = (files: readonly string[]): string =>
  hashOf(
    files.flatMap((file) => [
      path.relative(ROOT, file),
      statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file) : '',
    ]),
  );

export const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

/** Whether the file is there, as it would be written. */
export const holds = (file: string, content: Uint8Array): boolean =>
  existsSync(file) && readFileSync(file).equals(content);

/** Writes atomically: the server may be reading. */
export function writeFileWhole(file: string, content: string | Uint8Array): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.tmp`, content);
  renameSync(`${file}.tmp`, file);
}

export const writeJson = (file: string, value: unknown): void =>
  writeFileWhole(file, `${JSON.stringify(value, null, 2)}\n`);

/** Integrity hash for lists that every page contains: shorter than sha384, and browsers accept both. */
export const sha256 = (content: Buffer): `sha256-${string}` =>
  `sha256-${createHash('sha256').update(content).digest('base64')}`;
export const sha384 = (content: Buffer): `sha384-${string}` =>
  `sha384-${createHash('sha384').update(content).digest('base64')}`;
