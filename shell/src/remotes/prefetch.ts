import type { RemoteManifest } from '@pool/shared';
import { whenIdle } from '@pool/shared/ui/core';
import { LIGHT_PARTS } from './ui-parts';

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

/** Prefetches a remote's first files; none of its code runs. Only called with remotes the user may use. */
export function prefetchRemote({ entry, preload }: RemoteManifest): void {
  hint(entry, true);
  for (const url of preload) hint(url, false);
}

const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Maximum time to wait for an idle moment. */
const IDLE_WITHIN_MS = 15_000;
const idle = (work: () => void) => whenIdle(work, IDLE_WITHIN_MS);

/**
 * Once the page is idle: prefetches the other remotes, then the parts of the shared UI one by one. Returns the function
 * that cancels.
 */
export function prefetchWhenIdle(remotes: readonly RemoteManifest[]): () => void {
  if (savesData()) return () => undefined;
  let cancel = idle(() => {
    remotes.forEach(prefetchRemote);
    next(0);
  });
  const next = (index: number): void => {
    const load = LIGHT_PARTS[index];
    if (load)
      cancel = idle(
        () =>
          void load().then(
            () => next(index + 1),
            () => undefined,
          ),
      );
  };
  return () => cancel();
}
