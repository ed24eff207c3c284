import { measureElement, useWindowVirtualizer, type Range } from '@tanstack/react-virtual';
import {
  use,
  useDeferredValue,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type Key,
  type Ref,
  type RefObject,
} from 'react';
import { Viewport } from '../core/viewport';

/** Lists up to this long are in the document whole: the browser's own search finds every row. */
const WHOLE_UP_TO = 100;
/** Rows kept beyond the screen on each side, and by how many that changes: most frames of scrolling change nothing. */
const OVERSCAN = 6;
const STEP = 8;
/** What is above every list at least, px: the bar, the page's heading, a filter. */
const ABOVE = 160;

export type TableHandle = {
  /** Brings row `index` on screen, below what sticks to the top. */ scrollTo(index: number): void;
};

type Options = {
  ref: Ref<TableHandle> | undefined;
  rows: readonly object[];
  keyOf: (index: number) => Key;
  /** Usual height of a row, px. */
  height: number;
  /** Gap between two rows, px. */
  gap?: number;
  /** Rows differ in height: each is measured. */
  varies: boolean;
  /** Height of what sticks to the top of the page, px. */
  covered: number;
  /** What is above the list at least, px: the server cannot measure it. */
  above?: number;
  paper: boolean;
};

/** Which rows of a page's list are in the document: those near the screen and the focused one; in print all. */
export function useVisibleRows(options: Options) {
  const { ref, rows, keyOf, height, gap = 0, varies, covered, above = ABOVE, paper } = options;
  const list = useRef<HTMLElement>(null);
  const focused = useRef<Key>(null);
  const drawn = useRef<ReadonlyMap<number, Key>>(new Map());
  const top = useTop(list);
  const viewport = use(Viewport);
  const count = rows.length;
  // A new list, and other rows of a long one, are first drawn on screen only; what is beyond it follows when that is
  // painted.
  const isOpen = useDeferredValue(true, false);
  const isSettled = useDeferredValue(rows, null) === rows;
  const whole = paper || (count <= WHOLE_UP_TO && isOpen);
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count,
    gap,
    scrollMargin: top,
    scrollPaddingStart: covered,
    overscan: OVERSCAN,
    initialRect: viewport
      ? { width: viewport.width, height: Math.max(1, viewport.height - above) }
      : { width: innerWidth, height: innerHeight },
    estimateSize: () => height,
    // Rows of one height need no keys there: with keys it makes its record of every row anew when they are sorted.
    ...(varies && { getItemKey: keyOf }),
    // A new row counts as one of the usual height until its observer reports: to read it now would lay out the page.
    measureElement: (row, entry, list) =>
      entry
        ? measureElement(row, entry, list) || height
        : (list.itemSizeCache.get(keyOf(list.indexFromElement(row))) ?? height),
    rangeExtractor: (range) => {
      if (whole) return Array.from({ length: count }, (_, index) => index);
      const near = inSteps(range).filter(
        (index) =>
          isSettled ||
          (index >= range.startIndex && index <= range.endIndex) ||
          drawn.current.get(index) === keyOf(index),
      );
      const kept = focused.current === null ? -1 : indexOf(focused.current, count, keyOf);
      if (kept < 0 || near.includes(kept)) return near;
      return [...near, kept].sort((a, b) => a - b);
    },
  });
  useImperativeHandle(
    ref,
    () => ({
      scrollTo(index) {
        const row = list.current?.querySelector(`[data-index="${index}"]`);
        if (row) row.scrollIntoView({ block: 'nearest' });
        else virtualizer.scrollToIndex(index);
      },
    }),
    [virtualizer],
  );
  const items = virtualizer
    .getVirtualItems()
    .map(({ index, start }, at, all) => ({ index, key: keyOf(index), space: start - (all[at - 1]?.end ?? top) }));
  useEffect(() => {
    drawn.current = new Map(items.map(({ index, key }) => [index, key]));
  });
  return {
    list,
    items,
    height: whole ? undefined : virtualizer.getTotalSize(),
    measure: varies ? virtualizer.measureElement : undefined,
    onFocus: ({ target }: FocusEvent) => {
      const row = target.closest<HTMLElement>('[data-index]');
      focused.current = row ? keyOf(Number(row.dataset.index)) : null;
    },
    onBlur: () => {
      focused.current = null;
    },
  };
}

const inSteps = ({ startIndex, endIndex, overscan, count }: Range): number[] => {
  const start = Math.max(0, Math.floor((startIndex - overscan) / STEP) * STEP);
  const end = Math.min(count, Math.ceil((endIndex + 1 + overscan) / STEP) * STEP);
  return Array.from({ length: end - start }, (_, at) => start + at);
};

const indexOf = (key: Key, count: number, keyOf: (index: number) => Key): number => {
  for (let index = 0; index < count; index += 1) if (keyOf(index) === key) return index;
  return -1;
};

/** Where an element begins in the page, px: what stands above it may grow and shrink. */
function useTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const read = () => {
      if (element.current) setTop(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}
