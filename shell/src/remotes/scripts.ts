/**
 * Every lazily loaded script, the shell's and the remotes', passes here before it is fetched
 * (ScriptHookPlugin in webpack.base.cjs): it gets its integrity, and after a Retry a new URL,
 * because a download that hangs does not recover under the same one.
 */
const integrity = new Map<string, string>();
const attempts = new Map<string, number>();

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** What no file has: a script of ours that nobody vouches for is not run. */
const NO_FILE = `sha384-${'A'.repeat(64)}`;
const VOUCHED = /^\/(assets|remotes)\//;

export function rememberHashes(files: Record<string, string> = {}): void {
  for (const [url, hash] of Object.entries(files)) integrity.set(url, hash);
}

/** From now on the scripts beside `entry` are asked for with `?r=attempt`. */
export function markRetry(entry: string, attempt: number): void {
  const folder = folderOf(entry);
  attempts.set(folder, attempt);
  // webpack would wait for a tag of the same chunk that is still in the page: for ever, when it hangs.
  for (const script of document.querySelectorAll<HTMLScriptElement>('script[src]')) {
    if (folderOf(new URL(script.src).pathname) === folder) script.remove();
  }
}

export const withRetryMark = (path: string): string => {
  const attempt = attempts.get(folderOf(path));
  return attempt ? `${path}?r=${attempt}` : path;
};

export function prepareScript(script: HTMLScriptElement): void {
  const { pathname, origin } = new URL(script.src, location.href);
  if (origin !== location.origin) return;
  const hash = integrity.get(pathname) ?? (VOUCHED.test(pathname) ? NO_FILE : undefined);
  if (hash) script.integrity = hash;
  const url = withRetryMark(pathname);
  if (url !== pathname) script.src = url;
}

declare global {
  var poolScript: ((script: HTMLScriptElement) => void) | undefined;
}
globalThis.poolScript = prepareScript;
// The page was built with the hashes of the shell's own chunks; those of a remote come with its manifest.
rememberHashes(JSON.parse(document.getElementById('pool-files')?.textContent ?? '{}') as Record<string, string>);
