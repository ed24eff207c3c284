import { useMediaQuery } from '@pool/shared/ui/core';
import { useLayoutEffect, useState, type RefObject } from 'react';

export type Range = { start: number; end: number };
/** Rows rendered beyond the screen on each side. */
const MARGIN = 7;
/** The range changes in steps of this many rows, so that scrolling renders less often. */
const CHUNK = 6;

/** The visible ones of `count` rows of `rowHeight` px, when the list starts at `top` px on a screen of `height` px. */
export function visibleRange(count: number, rowHeight: number, top: number, height: number): Range {
  const chunk = (row: number) => Math.floor(row / CHUNK) * CHUNK;
  const start = Math.max(0, Math.min(chunk(-top / rowHeight - MARGIN), count - 1));
  const end = Math.min(count, chunk((height - top) / rowHeight + MARGIN) + CHUNK);
  return { start, end: Math.max(start, end) };
}

/**
 * The rows to render of a list that scrolls with the page. Only these are in the document, so 10,000 workers cost as
 * much as 40. `list`: the element that starts at the first row.
 */
export function useWindow(list: RefObject<HTMLElement | null>, count: number, rowHeight: number) {
  const [range, setRange] = useState<Range>(() => visibleRange(count, rowHeight, 0, window.innerHeight));

  const isPrint = useMediaQuery('print');

  useLayoutEffect(() => {
    const measure = () => {
      const element = list.current;
      if (!element) return;
      const next = visibleRange(count, rowHeight, element.getBoundingClientRect().top, window.innerHeight);
      setRange((was) => (was.start === next.start && was.end === next.end ? was : next));
    };
    measure();
    // Listen in the capture phase to see the scrolling of all elements.
    document.addEventListener('scroll', measure, { capture: true, passive: true });
    window.addEventListener('resize', measure);
    return () => {
      document.removeEventListener('scroll', measure, { capture: true });
      window.removeEventListener('resize', measure);
    };
  }, [list, count, rowHeight]);

  // Print all rows.
  if (isPrint) return { start: 0, end: count };
  return { start: Math.min(range.start, count), end: Math.min(range.end, count) };
}

/** Scrolls row `index` of a list into view, below `covered` px of sticky elements at the top. */
export function scrollToRow(list: HTMLElement | null, index: number, rowHeight: number, covered: number): void {
  if (!list) return;
  const top = list.getBoundingClientRect().top + index * rowHeight;
  if (top < covered) window.scrollBy({ top: top - covered });
  else if (top + rowHeight > window.innerHeight) window.scrollBy({ top: top + rowHeight - window.innerHeight });
}
