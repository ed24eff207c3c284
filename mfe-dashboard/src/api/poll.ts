/** How often pages ask again by themselves: events come first, this is what remains when the stream is cut. */
export const POLL_MS = 30_000;
export const SLOW_POLL_MS = 5 * 60_000;
