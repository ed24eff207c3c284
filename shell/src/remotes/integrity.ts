/** Gives each lazy script and stylesheet its integrity hash (FileHookPlugin), and a new URL after a Retry. */
import { ID_BUILD, readScript, type ShellBuild } from '@pool/shared/page-start';

type FileTag = HTMLScriptElement | HTMLLinkElement;

export const build = readScript<ShellBuild>(ID_BUILD) ?? { name: null, files: {} };

const integrity = new Map<string, string>();
const attempts = new Map<string, number>();

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
/** Name of a file as the manifests have it: a path of this origin, or the whole URL of another one (REMOTE_ORIGINS). */
function nameOf(tag: FileTag): string {
  const { origin, pathname } = new URL('src' in tag ? tag.src : tag.href, location.href);
  return origin === location.origin ? pathname : origin + pathname;
}
const isElsewhere = (url: string): boolean => !url.startsWith('/');

/** A hash that no file has: files without a known hash are refused. */
const NO_FILE = process.env.NODE_ENV === 'development' ? undefined : `sha384-${'A'.repeat(64)}`;
/** Files with a known hash: the page has the hashes of the shell's scripts, but not of its stylesheets. */
const HASHED = /^(https?:|\/remotes\/|\/assets\/.*\.js$)/;

export function rememberHashes(files: Record<string, string> = {}): void {
  for (const [url, hash] of Object.entries(files)) integrity.set(url, hash);
}

/** Makes the files beside `entry` requested with `?r=attempt` from now on. */
export function markRetry(entry: string, attempt: number): void {
  const folder = folderOf(entry);
  attempts.set(folder, attempt);
  // Remove old tags: the loader would reuse them, even hung ones.
  for (const tag of document.querySelectorAll<FileTag>('script[src], link[rel=stylesheet]')) {
    if (folderOf(nameOf(tag)) === folder) tag.remove();
  }
}

export const withRetryMark = (path: string): string => {
  const attempt = attempts.get(folderOf(path));
  return attempt ? `${path}?r=${attempt}` : path;
};

export function prepareFile(tag: FileTag): void {
  const name = nameOf(tag);
  const hash = integrity.get(name) ?? (HASHED.test(name) ? NO_FILE : undefined);
  if (hash) tag.integrity = hash;
  // Without it the browser may not look at what it has to check.
  if (isElsewhere(name)) tag.crossOrigin = 'anonymous';
  const url = withRetryMark(name);
  if (url === name) return;
  if ('src' in tag) tag.src = url;
  else tag.href = url;
}

/** Asks for a file before it is used, once. `attributes` are as its own tag will have them. */
export function addResourceHint(
  rel: 'prefetch' | 'preload',
  url: string,
  attributes: { crossOrigin?: 'anonymous'; integrity?: string } = {},
): void {
  if (document.querySelector(`link[href='${url}']`)) return;
  const as = url.endsWith('.css') ? 'style' : 'script';
  const elsewhere = isElsewhere(url) && { crossOrigin: 'anonymous' };
  document.head.append(
    Object.assign(document.createElement('link'), { rel, as, ...elsewhere, ...attributes, href: url }),
  );
}

declare global {
  var poolFile: ((tag: FileTag) => void) | undefined;
}
globalThis.poolFile = prepareFile;
// The page contains the hashes of the shell's own chunks; those of a remote are in its manifest.
rememberHashes(build.files);
