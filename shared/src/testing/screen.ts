import { within } from '@testing-library/react';

/** What the elements say. */
export const textsIn = (elements: readonly Element[]): string[] => elements.map(({ textContent }) => textContent ?? '');
/** The rows of a table without that of its headings. */
export const rowsOf = (table: HTMLElement): HTMLElement[] => within(table).getAllByRole('row').slice(1);

/** Sizes of the screen: in jsdom, which has no width, no media query would match. */
const media = (matches: (query: string) => boolean): void => {
  jest.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    matches: matches(query),
    media: query,
    onchange: null,
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
    dispatchEvent: () => false,
  }));
};
export const desktop = (): void => media((query) => query.includes('min-width'));
export const phone = (): void => media((query) => query.includes('max-width'));
export const paper = (): void => media((query) => query === 'print');

/** Holds the date, so that days and ages are those of the test; timers go on, which user events and queries need. */
export const stopClockAt = (now: string): void => {
  const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'queueMicrotask', 'nextTick'] as const;
  const frames = ['setImmediate', 'performance', 'requestAnimationFrame', 'cancelAnimationFrame'] as const;
  jest.useFakeTimers({ now: new Date(now), doNotFake: [...timers, ...frames] });
};

/** The files that the page saves from now on: their names, and the text of the last one. */
export function savedFiles() {
  const names: string[] = [];
  let last: Blob | undefined;
  URL.createObjectURL = (blob) => {
    last = blob as Blob;
    return 'blob:saved';
  };
  URL.revokeObjectURL = () => undefined;
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  const text = () =>
    new Promise<string>((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(String(reader.result));
      reader.readAsText(last!);
    });
  return { names, text };
}
