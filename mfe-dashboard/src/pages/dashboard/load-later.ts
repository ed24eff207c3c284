import { whenIdle } from '@pool/shared/ui/core';

/** Milliseconds after which a page that is never idle loads the rest all the same. */
const PATIENCE_MS = 1500;

/** What the figures do not need. Fetched once the browser is idle: before, its files would hold the figures up. */
export const loadLater = () =>
  new Promise<void>((resolve) => {
    whenIdle(resolve, PATIENCE_MS);
  }).then(() => import('./later'));
