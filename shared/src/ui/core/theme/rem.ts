/** How much larger than usual the reader of this browser wants texts: 1.5 at 24 px. 1 on the server and in tests. */
export const TEXT_SCALE =
  (globalThis.document && parseFloat(getComputedStyle(document.documentElement).fontSize) / 16) || 1;

/** Pixels that hold text: as many more as the reader's texts are larger. */
export const scaled = (px: number): number => Math.round(px * TEXT_SCALE);
