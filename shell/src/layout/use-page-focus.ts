import { useEffect, useRef } from 'react';

/** After this time a page's heading is no longer waited for. */
const WAIT_MS = 8_000;

function focusHeading(main: HTMLElement): boolean {
  const heading = main.querySelector<HTMLElement>('h1');
  if (!heading) return false;
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  return true;
}

/**
 * After a change of page (not on the first) the focus moves to its heading as soon as it exists, and the page scrolls
 * up.
 */
export function usePageFocus(page: string, mainId: string): void {
  const before = useRef(page);
  useEffect(() => {
    if (before.current === page) return;
    before.current = page;
    scrollTo(0, 0);
    const main = document.getElementById(mainId);
    // React has removed the old page by now: a heading found here belongs to the new one.
    if (!main || focusHeading(main)) return;
    const observer = new MutationObserver(() => focusHeading(main) && observer.disconnect());
    observer.observe(main, { childList: true, subtree: true });
    const limit = setTimeout(() => observer.disconnect(), WAIT_MS);
    return () => {
      observer.disconnect();
      clearTimeout(limit);
    };
  }, [page, mainId]);
}
