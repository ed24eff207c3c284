/** What the server sent to be seen before the page: its skeleton, or the first view of its remote (app.html). */
import { ID_FIRST } from '@pool/shared/page-start';

/** A page that is not ready by then is shown as it is. */
const PATIENCE_MS = 4_000;

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
  const hasView = document.documentElement.dataset.view === 'on';
  const placeholders = Number(first?.querySelector<HTMLElement>('.sk-view')?.dataset.bones);
  const show = () => {
    observer.disconnect();
    clearTimeout(timer);
    first?.remove();
    resolveShown();
  };
  const observer = new MutationObserver(() => {
    if (!hasView || isReady(root, placeholders)) show();
  });
  observer.observe(root, { childList: true, subtree: true });
  const timer = setTimeout(show, PATIENCE_MS);
}
