import type { RemoteManifest } from '@pool/shared';
import { whenIdle } from '@pool/shared/ui/core';
import { LIGHT_PARTS } from './ui-parts';

const asked = new Set<string>();

function hint(url: string, crossOrigin: boolean): void {
  if (asked.has(url)) return;
  asked.add(url);
  const link = document.createElement('link');
  link.rel = 'prefetch';
  link.as = url.endsWith('.css') ? 'style' : 'script';
  link.href = url;
  // As the script will be asked for, or it is downloaded twice: entries with, chunks without.
  if (crossOrigin) link.crossOrigin = 'anonymous';
  document.head.append(link);
}

/** Fetches a remote's first files ahead; none of its code runs. Only called with remotes the user may use. */
export function prefetchRemote({ entry, preload }: RemoteManifest): void {
  hint(entry, true);
  for (const url of preload) hint(url, false);
}

const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** An idle moment comes at the latest after this. */
const IDLE_WITHIN_MS = 15_000;
const idle = (work: () => void) => whenIdle(work, IDLE_WITHIN_MS);

/** When the page has come to rest: the other remotes, then one after the other the parts of the UI they share. Returns what cancels it. */
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
