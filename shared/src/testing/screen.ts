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
