import { areaPaths } from './area';

test('a line from edge to edge, with its area down to zero', () => {
  const { line, area } = areaPaths([0, 50, 100], 200, 108);
  expect(line).toBe('M0 108L100 58L200 8');
  expect(area).toBe('M0 108L0 108L100 58L200 8L200 108Z');
});

test('a gap is a gap', () => {
  expect(areaPaths([1, 1, null, 1, 1], 100, 108).line.match(/M/g)).toHaveLength(2);
  expect(areaPaths([1, 1, null, 1], 100, 108).line.match(/M/g)).toHaveLength(1);
});

test('nothing to draw', () => {
  for (const points of [[], [1], [0, 0], [null, null]])
    expect(areaPaths(points, 100, 100)).toEqual({ line: '', area: '' });
});
