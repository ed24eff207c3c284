import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import type { Series } from '../../../api/schemas';
import type { Range } from './range';

/**
 * The point of a series that is read with the pointer or the arrow keys, and the part that is dragged over: indices.
 * `handlers` go to the element that spans the plot. `onDragged`: without it nothing can be dragged over.
 */
export function useReader({ from, step, accepted }: Series, onDragged?: (range: Range) => void) {
  /** The time that is read, Unix seconds: it stays while a live series moves under a still pointer. */
  const [readAt, setReadAt] = useState<number | null>(null);
  const [dragFrom, setDragFrom] = useState<number | null>(null);
  const last = accepted.length - 1;
  const index = readAt === null ? -1 : Math.round((readAt - from) / step);
  const active = index >= 0 && index <= last ? index : null;
  const read = (to: number) => setReadAt(from + Math.min(last, Math.max(0, to)) * step);
  const indexAt = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.round(Math.min(1, Math.max(0, (clientX - left) / (width || 1))) * last);
  };
  const handlers = {
    onPointerMove: (event: PointerEvent) => read(indexAt(event)),
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      read(indexAt(event));
      // A finger that moves sideways reads. A browser gives the focus, with which the reading goes, only to a tap.
      if (event.pointerType === 'touch') event.currentTarget.focus({ preventScroll: true });
      else if (onDragged && event.button === 0) {
        setDragFrom(indexAt(event));
        event.currentTarget.setPointerCapture?.(event.pointerId);
      }
    },
    onPointerUp: (event: PointerEvent) => {
      if (dragFrom === null) return;
      const to = indexAt(event);
      setDragFrom(null);
      onDragged?.([Math.min(dragFrom, to), Math.max(dragFrom, to)]);
    },
    onPointerCancel: () => setDragFrom(null),
    // What a finger has read stays until it taps elsewhere.
    onPointerLeave: (event: PointerEvent) => {
      if (event.pointerType !== 'touch') setReadAt(null);
    },
    onBlur: () => setReadAt(null),
    onKeyDown: (event: KeyboardEvent) => {
      const now = active ?? last;
      const page = Math.max(1, Math.round(last / 10));
      const to = {
        ArrowLeft: now - 1,
        ArrowDown: now - 1,
        ArrowRight: now + 1,
        ArrowUp: now + 1,
        PageDown: now - page,
        PageUp: now + page,
        Home: 0,
        End: last,
      }[event.key];
      if (event.key === 'Escape') {
        setReadAt(null);
        setDragFrom(null);
      }
      if (to === undefined) return;
      event.preventDefault();
      read(to);
    },
  };
  return { active, dragFrom, handlers };
}
