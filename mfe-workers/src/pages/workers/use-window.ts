import { useMediaQuery } from '@pool/shared/ui/core';
import { useLayoutEffect, useState, type RefObject } from 'react';

export type Range = { start: number; end: number };
/** Rows kept beyond the screen on each side, and by how many the range moves: fewer renders while scrolling. */
const MARGIN = 7;
const CHUNK = 6;

/** Which of `count` rows of `rowHeight` px can be seen when the list begins at `top` px of a screen `height` px high. */
export function visibleRange(count: number, rowHeight: number, top: number, height: number): Range {
  const chunk = (row: number) => Math.floor(row / CHUNK) * CHUNK;
  const start = Math.max(0, Math.min(chunk(-top / rowHeight - MARGIN), count - 1));
  const end = Math.min(count, chunk((height - top) / rowHeight + MARGIN) + CHUNK);
  return { start, end: Math.max(start, end) };
}

/**
 * The rows to draw of a list that scrolls with the page. Only these are in the document, so 10,000 workers cost what 40 do.
 * `list` begins where the first row does.
 */
export function useWindow(list: RefObject<HTMLElement | null>, count: number, rowHeight: number) {
  const [range, setRange] = useState<Range>(() => visibleRange(count, rowHeight, 0, window.innerHeight));

  const paper = useMediaQuery('print');

  useLayoutEffect(() => {
    const measure = () => {
      const element = list.current;
      if (!element) return;
      const next = visibleRange(count, rowHeight, element.getBoundingClientRect().top, window.innerHeight);
      setRange((was) => (was.start === next.start && was.end === next.end ? was : next));
    };
    measure();
    // Capturing sees every scroller; what is above the list may grow without one.
    document.addEventListener('scroll', measure, { capture: true, passive: true });
    window.addEventListener('resize', measure);
    return () => {
      document.removeEventListener('scroll', measure, { capture: true });
      window.removeEventListener('resize', measure);
    };
  }, [list, count, rowHeight]);

  // On paper nobody scrolls.
  if (paper) return { start: 0, end: count };
  return { start: Math.min(range.start, count), end: Math.min(range.end, count) };
}

/** Brings row `index` of a list on screen, below `covered` px of what sticks to the top. */
export function scrollToRow(list: HTMLElement | null, index: number, rowHeight: number, covered: number): void {
  if (!list) return;
  const top = list.getBoundingClientRect().top + index * rowHeight;
  if (top < covered) window.scrollBy({ top: top - covered });
  else if (top + rowHeight > window.innerHeight) window.scrollBy({ top: top + rowHeight - window.innerHeight });
}
