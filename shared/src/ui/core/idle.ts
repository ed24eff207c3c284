/** Runs `work` once the browser has nothing better to do, at the latest after `timeout` ms. Returns what cancels it. */
export function whenIdle(work: () => void, timeout = 3000): () => void {
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(work, { timeout });
    return () => cancelIdleCallback(id);
  }
  // Safari cannot tell.
  const id = setTimeout(work, timeout / 10);
  return () => clearTimeout(id);
}
