import type { RemoteManifest } from '@pool/shared';
import { whenIdle } from '@pool/shared/ui/core';
import { addResourceHint } from '../integrity';
import { LIGHT_PARTS, loadParts } from '../ui-parts';

/** Signs of a user who goes on from here: a page that is only looked at loads nothing more. */
const INTERACTIONS = ['pointerdown', 'keydown'] as const;
/** Signs that a link will be followed. */
const INTENTS = ['pointerover', 'focusin'] as const;
/** Maximum time to wait for an idle moment. */
const IDLE_WITHIN_MS = 15_000;
const idle = (work: () => void) => whenIdle(work, IDLE_WITHIN_MS);

/** A remote's first files; none of its code runs. */
function prefetch({ entry, preload }: RemoteManifest): void {
  addResourceHint('prefetch', entry, { crossOrigin: 'anonymous' });
  for (const url of preload) addResourceHint('prefetch', url);
}

const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Prefetches the remote of a link that is pointed at, opens it when pressed; all of them once the page is idle. */
export function prefetchRemotes(
  remotes: readonly RemoteManifest[],
  open: (remote: RemoteManifest, link: HTMLAnchorElement) => Promise<void>,
): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  let cancel: () => void = () => undefined;
  const linked = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a[href]:not([target])') : null;
    // A link within a chart is one of SVG, and leads within its page.
    if (!(link instanceof HTMLAnchorElement)) return null;
    const remote = remotes.find(({ basePath }) => link.pathname.startsWith(`${basePath}/`));
    return remote ? { remote, link } : null;
  };

  const press = async (event: Event): Promise<void> => {
    const to = event instanceof KeyboardEvent && event.key !== 'Enter' ? null : linked(event);
    if (to) await open(to.remote, to.link).catch(() => undefined);
  };

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
  let begun = savesData();
  const act = (event: Event) => {
    const pressed = press(event);
    if (begun) return;
    begun = true;
    // The page that the user goes to comes first.
    void pressed.then(() => {
      if (signal.aborted) return;
      cancel = idle(() => {
        remotes.forEach(prefetch);
        next(0);
      });
    });
  };
  for (const type of INTERACTIONS) addEventListener(type, act, { capture: true, passive: true, signal });
  const approach = (event: Event) => {
    const to = linked(event);
    if (!to) return;
    prefetch(to.remote);
    loadParts(to.remote);
  };
  if (!savesData()) for (const type of INTENTS) addEventListener(type, approach, { passive: true, signal });
  return () => {
    ended.abort();
    cancel();
  };
}
