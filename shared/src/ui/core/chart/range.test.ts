import fc from 'fast-check';
import { move, whole, withinOf, zoomIn, zoomOut, type Range } from './range';

test('zooms in and out again', () => {
  expect(zoomIn([0, 100], 100)).toEqual([25, 75]);
  expect(zoomOut([25, 75], 100)).toEqual([0, 100]);
  expect(zoomOut(whole(100), 100)).toBeNull();
  expect(zoomIn([10, 16], 100)).toBeNull();
});
test('moving stops at the ends', () => {
  expect(move([0, 20], -1, 100)).toBeNull();
  expect(move([5, 25], -1, 100)).toEqual([0, 20]);
  expect(move([80, 100], 1, 100)).toBeNull();
});
test('a range stays inside a series that became shorter', () => expect(withinOf([90, 144], 100)).toEqual([90, 100]));
test('after any moves the range stays inside the series and ordered', () => {
  const steps = fc.array(fc.constantFrom('in', 'out', 'left', 'right'), { maxLength: 40 });
  fc.assert(
    fc.property(fc.integer({ min: 12, max: 365 }), steps, (last, keys) => {
      let range: Range = whole(last);
      for (const key of keys) {
        range =
          (key === 'in'
            ? zoomIn(range, last)
            : key === 'out'
              ? zoomOut(range, last)
              : move(range, key === 'left' ? -1 : 1, last)) ?? range;
        expect(range[0]).toBeGreaterThanOrEqual(0);
        expect(range[1]).toBeLessThanOrEqual(last);
        expect(range[1] - range[0]).toBeGreaterThanOrEqual(6);
      }
    }),
  );
});
