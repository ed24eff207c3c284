import { createContext } from 'react';

/** The browser for which the server renders: its window, the page's content and first chart, CSS pixels. */
export const Viewport = createContext<{ width: number; height: number; content: number; plot: number } | null>(null);

/** Whether a window of this width matches a query of widths; other queries do not match. */
export function matchesWidth(query: string, width: number): boolean {
  const [, bound, pixels] = /^\((min|max)-width: (\d+)px\)$/.exec(query) ?? [];
  if (bound === undefined) return false;
  return bound === 'min' ? width >= Number(pixels) : width <= Number(pixels);
}
