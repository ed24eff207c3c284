/** The server's clock: that of a browser may be minutes or days off. */

/** An answer may have been on the way for so long, or kept by the browser. */
const ON_THE_WAY_MS = 30_000;

let offset = 0;

/** Takes the time from an answer's header `Date`, where this clock is clearly off. */
export function setByServer(date: string | null): void {
  const found = Date.parse(date ?? '') - Date.now();
  if (Math.abs(found - offset) > ON_THE_WAY_MS) offset = Math.abs(found) > ON_THE_WAY_MS ? found : 0;
}

/** What time it is, or was at `browserMs` (a query's `dataUpdatedAt`), by the server's clock. Unix milliseconds. */
export const serverTime = (browserMs = Date.now()): number => browserMs + offset;
