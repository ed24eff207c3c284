import type { RemoteManifest } from '@pool/shared';
import { loadDropdown, whenIdle } from '@pool/shared/ui/core';
import { LIGHT_PARTS } from './ui-parts';

/** Signs of a user who goes on from here: a page that is only looked at loads nothing more. */
const INTERACTIONS = ['pointerdown', 'keydown'] as const;
/** Signs that a link will be followed. */
const INTENTS = ['pointerover', 'focusin'] as const;
/** Maximum time to wait for an idle moment. */
const IDLE_WITHIN_MS = 15_000;
const idle = (work: () => void) => whenIdle(work, IDLE_WITHIN_MS);

const requested = new Set<string>();

function hint(url: string, crossOrigin: boolean): void {
  if (requested.has(url)) return;
  requested.add(url);
  const link = document.createElement('link');
  link.rel = 'prefetch';
  link.as = url.endsWith('.css') ? 'style' : 'script';
  link.href = url;
  // As the script will be requested, or it is downloaded twice: entries with crossorigin, chunks without.
  if (crossOrigin) link.crossOrigin = 'anonymous';
  document.head.append(link);
}

/** A remote's first files; none of its code runs. */
function prefetch({ entry, preload }: RemoteManifest): void {
  hint(entry, true);
  for (const url of preload) hint(url, false);
}

const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/**
 * Prefetches the remote that a link leads to, when the pointer or the focus is on it; after the first interaction, once
 * the page is idle, all of them, then the parts of the shared UI one by one. Only called with remotes the user may use.
 * Returns the function that ends it.
 */
export function prefetchRemotes(remotes: readonly RemoteManifest[]): () => void {
  if (savesData()) return () => undefined;
  const ended = new AbortController();
  const { signal } = ended;
  let cancel: () => void = () => undefined;

  const next = (index: number): void => {
    const load = [loadDropdown, ...LIGHT_PARTS][index];
    if (load)
      cancel = idle(
        () =>
          void load().then(
            () => next(index + 1),
            () => undefined,
          ),
      );
  };
  let begun = false;
  const begin = () => {
    if (begun) return;
    begun = true;
    cancel = idle(() => {
      remotes.forEach(prefetch);
      next(0);
    });
  };
  const follow = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
    const remote = link && remotes.find(({ basePath }) => link.pathname.startsWith(`${basePath}/`));
    if (remote) prefetch(remote);
  };
  for (const type of INTERACTIONS) addEventListener(type, begin, { capture: true, passive: true, signal });
  for (const type of INTENTS) addEventListener(type, follow, { passive: true, signal });
  return () => {
    ended.abort();
    cancel();
  };
}
