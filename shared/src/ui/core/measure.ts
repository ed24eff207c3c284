import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { TEXT_SCALE } from './theme/rem';

/** An element's width in CSS pixels, told by an observer before the paint; `fallback` without layout. */
export function useWidth<T extends HTMLElement>(fallback: number): [RefObject<T | null>, number] {
  const ref = useRef<T>(null);
  const [width, setWidth] = useState(fallback);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      // A page that is removed has no width: it is not drawn once more for that.
      if (element.clientWidth) flushSync(() => setWidth(Math.round(element.clientWidth)));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

/** False until the page's fonts are loaded; text measured before must be measured again. */
export function useFontsReady(): boolean {
  const [ready, setReady] = useState(() => globalThis.document?.fonts?.status !== 'loading');
  useEffect(() => {
    const { fonts } = document;
    if (ready || !fonts) return;
    const measureAgain = () => {
      widths.clear();
      setReady(true);
    };
    // Not `fonts.ready`: when that is read, the browser lays out the page at once.
    if (fonts.status === 'loaded') return measureAgain();
    fonts.addEventListener('loadingdone', measureAgain);
    return () => fonts.removeEventListener('loadingdone', measureAgain);
  }, [ready]);
  return ready;
}

/** Width of the page's first chart, as the server was told it (shell/src/boot-inline.ts); 640 where it is not known. */
export const expectedPlot = (): number => Number(globalThis.document?.documentElement.dataset.plot) || 640;

let canvas: CanvasRenderingContext2D | null | undefined;
const widths = new Map<string, number>();

/** Width of `text` in the charts' 11 px font; an estimate without a canvas. */
export function textWidth(text: string): number {
  const known = widths.get(text);
  if (known !== undefined) return known;
  canvas ??=
    globalThis.navigator === undefined || navigator.userAgent.includes('jsdom')
      ? null
      : document.createElement('canvas').getContext('2d');
  if (canvas) canvas.font = `500 ${11 * TEXT_SCALE}px Inter, "IBM Plex Sans Arabic", sans-serif`;
  // A canvas has no tabular figures; the page's figures are a little wider.
  const width = canvas ? canvas.measureText(text).width + (text.match(/\d/g)?.length ?? 0) * 0.5 : text.length * 6.2;
  if (widths.size < 500) widths.set(text, width);
  return width;
}
