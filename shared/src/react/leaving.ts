/** Whether the browser leaves the page. Firefox cancels what still loads then, which is no failure. */
const MS = 5_000;
let leftAt = Number.NEGATIVE_INFINITY;
// A first view is rendered on the server, where no page is left.
if (typeof addEventListener === 'function')
  addEventListener('beforeunload', () => {
    leftAt = performance.now();
  });

/** The page may stay all the same, as after the link of a download: true for some seconds only. */
export const isLeaving = (): boolean => performance.now() - leftAt < MS;

/** Resolves when it is no longer true, because the page has stayed. */
export const untilStaying = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, leftAt + MS - performance.now());
  });
