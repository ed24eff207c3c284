/**
 * Whether the browser is on its way to another document. Firefox cancels what the page still loads then, which is no
 * failure of a remote to be told.
 */
const MS = 5_000;
let leftAt = Number.NEGATIVE_INFINITY;
addEventListener('beforeunload', () => {
  leftAt = performance.now();
});

/** The page may stay all the same, as after the link of a download: true for some seconds only. */
export const isLeaving = (): boolean => performance.now() - leftAt < MS;
