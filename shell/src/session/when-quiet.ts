import { whenIdle } from '@pool/shared/ui/core';

/** What a page does not need at once is fetched only this long after the load, so that the page comes first. */
const SETTLE_MS = 6_000;
/** Longest time that it then waits for an idle moment. */
const IDLE_WITHIN_MS = 10_000;

/** Calls back when the page has loaded, settled and the browser is idle. Returns the function that cancels. */
export function whenQuiet(callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopWaiting: (() => void) | undefined;
  const settle = () => {
    timer = setTimeout(() => {
      // On a slow line the page itself is still coming.
      if (document.querySelector('[data-progress], [data-skeleton]')) settle();
      else stopWaiting = whenIdle(callback, IDLE_WITHIN_MS);
    }, SETTLE_MS);
  };
  if (document.readyState === 'complete') settle();
  else addEventListener('load', settle, { once: true });
  return () => {
    removeEventListener('load', settle);
    clearTimeout(timer);
    stopWaiting?.();
  };
}
