import { visibleRange } from './use-window';

test('at the top returns the visible rows and a margin', () => {
  const { start, end } = visibleRange(10_000, 50, 300, 900);
  expect(start).toBe(0);
  expect(end).toBeGreaterThanOrEqual(12 + 7);
  expect(end).toBeLessThan(40);
});

test('far down returns the visible rows and a margin on both sides', () => {
  const { start, end } = visibleRange(10_000, 50, -250_000, 900);
  expect(start).toBeLessThan(5000 - 5);
  expect(end).toBeGreaterThan(5018 + 5);
  expect(end - start).toBeLessThan(50);
});

test('at the end returns no row after the last', () => {
  expect(visibleRange(100, 50, -4_500, 900).end).toBe(100);
  expect(visibleRange(0, 50, 0, 900)).toEqual({ start: 0, end: 0 });
});

test('scrolling by one pixel does not change the range', () => {
  expect(visibleRange(10_000, 50, -250_010, 900)).toEqual(visibleRange(10_000, 50, -250_011, 900));
});
