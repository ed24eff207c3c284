import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { onOutside } from './popup';

type Anchored = {
  /** Puts the box at its element; called whenever one of them may have moved. */
  place(box: HTMLElement, of: Element): void;
  /** A press outside the box and its button. */
  onOutside(): void;
};

/** Shows `box` in the browser's top layer, above dialogs and drawers, and keeps it at `of` while the page moves. */
export function useAnchored(box: RefObject<HTMLElement | null>, of: Element, anchored: Anchored): void {
  const latest = useRef(anchored);
  useEffect(() => {
    latest.current = anchored;
  });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    element.showPopover?.();
    const move = () => latest.current.place(element, of);
    move();
    const ended = new AbortController();
    const { signal } = ended;
    addEventListener('scroll', move, { capture: true, passive: true, signal });
    addEventListener('resize', move, { signal });
    onOutside([of, element], () => latest.current.onOutside(), signal);
    const sizes = typeof ResizeObserver === 'function' ? new ResizeObserver(move) : undefined;
    sizes?.observe(element);
    return () => {
      ended.abort();
      sizes?.disconnect();
    };
  }, [box, of]);
}
