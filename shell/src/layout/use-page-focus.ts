import { useLocation, useNavigationType } from '@pool/shared/router';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useWindowEvent } from '../use-window-event';

/** Time after which a page's heading, or the height it had, is no longer waited for. */
const WAIT_MS = 8_000;
/** Signs of a user who moves through the page alone. */
const MOVES = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

function focusHeading(main: HTMLElement): boolean {
  const heading = main.querySelector<HTMLElement>('h1');
  if (!heading) return false;
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  return true;
}

/** Ended by one of these events of the user, and after WAIT_MS. */
function patience(events: readonly string[]): AbortController {
  const ended = new AbortController();
  const { signal } = ended;
  for (const type of events) addEventListener(type, () => ended.abort(), { capture: true, passive: true, signal });
  const limit = setTimeout(() => ended.abort(), WAIT_MS);
  signal.addEventListener('abort', () => clearTimeout(limit));
  return ended;
}

/** Scrolls to `top` as soon as the page is as long as it was, unless the user moves first. Returns what ends it. */
function scrollBackTo(top: number): () => void {
  const ended = patience(MOVES);
  const tall = new ResizeObserver(() => {
    scrollTo(0, top);
    if (Math.abs(scrollY - top) < 2) ended.abort();
  });
  ended.signal.addEventListener('abort', () => tall.disconnect());
  tall.observe(document.body);
  return () => ended.abort();
}

/** Where the page stood at each place of the history that this document has shown. */
const positions = new Map<string, number>();

/** After a change of page, which was `first` at the start, the focus moves to its heading, and the page scrolls up, or back to where it was. */
export function usePageFocus(page: string, first: string, mainId: string): void {
  const before = useRef(first);
  const { key } = useLocation();
  const back = useNavigationType() === 'POP';
  const top = useEffectEvent(() => (back ? (positions.get(key) ?? 0) : 0));

  useEffect(() => {
    // The browser would scroll the page that is being left. A reload is its own again.
    history.scrollRestoration = 'manual';
  }, []);
  useWindowEvent('pagehide', () => void (history.scrollRestoration = 'auto'));
  useLayoutEffect(() => {
    const remember = () => void positions.set(key, scrollY);
    addEventListener('scroll', remember, { passive: true });
    return () => removeEventListener('scroll', remember);
  }, [key]);

  // This runs before the paint: the new page may be drawn in the same frame.
  useLayoutEffect(() => {
    if (before.current === page) return;
    before.current = page;
    const was = top();
    const stop = was > 0 ? scrollBackTo(was) : undefined;
    if (!stop) scrollTo(0, 0);
    const main = document.getElementById(mainId);
    // React has removed the old page by now: a heading found here belongs to the new one.
    if (!main || focusHeading(main)) return stop;
    // A user who goes on meanwhile, in the search or the menu, keeps the focus.
    const ended = patience(['keydown', 'pointerdown']);
    const observer = new MutationObserver(() => focusHeading(main) && ended.abort());
    ended.signal.addEventListener('abort', () => observer.disconnect());
    observer.observe(main, { childList: true, subtree: true });
    return () => {
      stop?.();
      ended.abort();
    };
  }, [page, mainId]);
}
