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
