import '@testing-library/jest-dom';

// jsdom has neither; antd asks for both.
window.matchMedia ??= (query: string) =>
  ({ matches: false, media: query, onchange: null, addEventListener() {}, removeEventListener() {}, addListener() {}, removeListener() {}, dispatchEvent: () => false });
window.ResizeObserver ??= class { observe() {} unobserve() {} disconnect() {} };
