/** Tells how mounts of remotes end; of one that hangs the tab the next page tells, from the session storage. */
import type { RemoteManifest } from '@pool/shared';
import { pageReport } from '@pool/shared/page-start';
import { tried } from '../tried';

const KEY = 'pool-mounting';
/** The next page waits so long for its report before it mounts that version again. */
const TOLD_MS = 5_000;

type Version = Pick<RemoteManifest, 'name' | 'version'>;

/** Mounts under way, and their versions: a page that is left has given them up. */
const underWay = new Map<() => void, string>();
addEventListener('pagehide', () => [...underWay.keys()].forEach((giveUp) => giveUp()));

/** Notes the mounts under way. Returns those noted before. */
function note(): string[] {
  const before = tried(() => sessionStorage.getItem(KEY));
  tried(() => sessionStorage.setItem(KEY, [...underWay.values()].join(' ')));
  return before?.split(' ').filter(Boolean) ?? [];
}

const unfinished = note();
const told = new Promise<void>((resolve) => {
  for (const each of unfinished) {
    const [remote = '', version = ''] = each.split('/');
    pageReport({ remote, version, phase: 'unfinished', told: resolve });
  }
  setTimeout(resolve, TOLD_MS);
});

/** Resolves at once, unless this version did not finish its mount in the page before: then when the server knows. */
export const whenTold = async ({ name, version }: Version): Promise<void> => {
  if (unfinished.includes(`${name}/${version}`)) await told;
};

/** Begins a mount. Returns what ends it, once: `isWhole` when it did not fail and was not given up. */
export function beginMount({ name: remote, version }: Version): (isWhole: boolean) => void {
  const start = performance.now();
  pageReport({ remote, version, phase: 'begun' });
  const end = (isWhole: boolean): void => {
    if (!underWay.delete(giveUp)) return;
    note();
    pageReport({ remote, version, phase: 'ended', ms: isWhole && !document.hidden ? performance.now() - start : null });
  };
  const giveUp = (): void => end(false);
  underWay.set(giveUp, `${remote}/${version}`);
  note();
  return end;
}

export const reportFailure = ({ name: remote, version }: Version, error: unknown): void =>
  pageReport({ remote, version, phase: 'failed', error });
