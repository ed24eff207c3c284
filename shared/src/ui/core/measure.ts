import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Width of an element in CSS pixels, known before the first paint; `fallback` where nothing is laid out. */
export function useWidth<T extends HTMLElement>(fallback: number): [RefObject<T | null>, number] {
  const ref = useRef<T>(null);
  const [width, setWidth] = useState(fallback);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const read = () => setWidth(Math.round(element.clientWidth) || fallback);
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, [fallback]);
  return [ref, width];
}

let canvas: CanvasRenderingContext2D | null | undefined;
const widths = new Map<string, number>();

/** Width of `text` in the 11 px type of charts; estimated where there is no canvas. */
export function textWidth(text: string): number {
  const known = widths.get(text);
  if (known !== undefined) return known;
  canvas ??= navigator.userAgent.includes('jsdom') ? null : document.createElement('canvas').getContext('2d');
  if (canvas) canvas.font = '500 11px Inter, "IBM Plex Sans Arabic", sans-serif';
  const width = canvas?.measureText(text).width ?? text.length * 6.2;
  if (widths.size < 500) widths.set(text, width);
  return width;
}
