/** What the server sent to be seen before the page: its skeleton, or the first view of its remote (app.html). */
import { ID_FIRST } from '@pool/shared/page-start';

/** A page that is not ready by then is shown as it is; the first view stays in the place of what still loads. */
const PATIENCE_MS = 4_000;
const LOADING = '[data-skeleton], [data-failure=slow]';

/** Whether the page shows as much as its first view, which had so many placeholders left. */
const isReady = (root: Element, placeholders: number): boolean =>
  root.querySelector('main') !== null &&
  !root.querySelector('[data-skeleton], [data-remote] > div:empty') &&
  root.querySelectorAll('[data-bone]').length <= placeholders;

let resolveShown: () => void;
const pageShown = new Promise<void>((resolve) => {
  resolveShown = resolve;
});

/** Resolves when nothing that the server sent is in the page's place any more. */
export const whenPageShown = (): Promise<void> => (document.getElementById(ID_FIRST) ? pageShown : Promise.resolve());

/** Shows the page in `root` instead: a skeleton goes at once, a first view when the page has as much to show. */
export function showWhenReady(root: Element): void {
  const first = document.getElementById(ID_FIRST);
  const view =
    document.documentElement.dataset.view === 'on' ? (first?.querySelector<HTMLElement>('.sk-view') ?? null) : null;
  const { pathname } = location;
  let isPatient = view !== null;
  const look = () => {
    if (isPatient && !isReady(root, Number(view?.dataset.bones))) return;
    first?.remove();
    const place = view && location.pathname === pathname && root.querySelector(LOADING);
    if (place) {
      if (!place.contains(view)) place.append(view);
      return;
    }
    observer.disconnect();
    clearTimeout(timer);
    resolveShown();
  };
  const observer = new MutationObserver(look);
  observer.observe(root, { childList: true, subtree: true });
  const timer = setTimeout(() => {
    isPatient = false;
    look();
  }, PATIENCE_MS);
}
