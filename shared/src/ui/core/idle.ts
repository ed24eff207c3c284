/** Runs `work` when the browser is idle, at the latest after `timeout` ms. Returns a function that cancels it. */
export function whenIdle(work: () => void, timeout = 3000): () => void {
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(work, { timeout });
    return () => cancelIdleCallback(id);
  }
  // Safari has no requestIdleCallback.
  const id = setTimeout(work, timeout / 10);
  return () => clearTimeout(id);
}
