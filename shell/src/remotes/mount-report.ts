/** Tells how mounts of remotes end; of one that hangs the tab the next page tells, from the session storage. */
import type { RemoteManifest } from '@pool/shared';
import { pageReport } from '@pool/shared/page-start';
import { tried } from '../tried';

const KEY = 'pool-mounting';
/** The next page waits so long for its report before it mounts that version again. */
const TOLD_MS = 5_000;

type Version = Pick<RemoteManifest, 'name' | 'version'>;

/** Replaces the noted mount, or removes it. Returns the one before. */
function note(mounting = ''): string {
  const before = tried(() => sessionStorage.getItem(KEY));
  tried(() => sessionStorage.setItem(KEY, mounting));
  return before ?? '';
}

const unfinished = note();
const told = new Promise<void>((resolve) => {
  const [remote = '', version = ''] = unfinished.split('/');
  if (unfinished) pageReport({ remote, version, phase: 'unfinished', told: resolve });
  setTimeout(resolve, TOLD_MS);
});
/** Mounts under way: a page that is left has given them up. */
const underWay = new Set<() => void>();
addEventListener('pagehide', () => underWay.forEach((giveUp) => giveUp()));

/** Resolves at once, unless this version did not finish its mount in the page before: then when the server knows. */
export const whenTold = async ({ name, version }: Version): Promise<void> => {
  if (`${name}/${version}` === unfinished) await told;
};

/** Begins a mount. Returns what ends it, once: `isWhole` when it did not fail and was not given up. */
export function beginMount({ name: remote, version }: Version): (isWhole: boolean) => void {
  const start = performance.now();
  note(`${remote}/${version}`);
  pageReport({ remote, version, phase: 'begun' });
  const end = (isWhole: boolean): void => {
    if (!underWay.delete(giveUp)) return;
    note();
    pageReport({ remote, version, phase: 'ended', ms: isWhole && !document.hidden ? performance.now() - start : null });
  };
  const giveUp = (): void => end(false);
  underWay.add(giveUp);
  return end;
}

export const reportFailure = ({ name: remote, version }: Version, error: unknown): void =>
  pageReport({ remote, version, phase: 'failed', error });
