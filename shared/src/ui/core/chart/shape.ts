/** Path data of points. Lines break at gaps. */
export type Points = readonly (number | null)[];
type Xy = (index: number, value: number) => [number, number];

const tenth = (n: number) => Math.round(n * 10) / 10;

/** Index ranges of consecutive known points (both ends included). */
export function runsOf(points: Points): [number, number][] {
  const runs: [number, number][] = [];
  points.forEach((point, i) => {
    if (point === null) return;
    const last = runs.at(-1);
    if (last && last[1] === i - 1) last[1] = i;
    else runs.push([i, i]);
  });
  return runs;
}

/**
 * Index ranges of gaps (both ends missing), only after the first known point: before it no point was expected.
 */
export function gapsOf(points: Points): [number, number][] {
  const runs = runsOf(points);
  return runs.flatMap(([, end], i): [number, number][] => {
    const next = runs[i + 1];
    if (next) return [[end + 1, next[0] - 1]];
    return end < points.length - 1 ? [[end + 1, points.length - 1]] : [];
  });
}

const at = ([x, y]: readonly [number, number]) => `${tenth(x)} ${tenth(y)}`;

/** A line through the known points, broken at gaps. A single point between gaps becomes a short line, to be visible. */
export function linePath(points: Points, xy: Xy): string {
  let path = '';
  for (const [first, last] of runsOf(points)) {
    if (first === last) {
      const [x, y] = xy(first, points[first] ?? 0);
      path += `M${at([x - 1, y])}h2`;
    }
    for (let i = first; i <= last && first < last; i += 1)
      path += `${i === first ? 'M' : 'L'}${at(xy(i, points[i] ?? 0))}`;
  }
  return path;
}

/** The area between the line and `floor`; none for single points. */
export function areaPath(points: Points, xy: Xy, floor: number): string {
  let path = '';
  for (const [first, last] of runsOf(points)) {
    if (first === last) continue;
    path += `M${tenth(xy(first, 0)[0])} ${floor}`;
    for (let i = first; i <= last; i += 1) path += `L${at(xy(i, points[i] ?? 0))}`;
    path += `L${tenth(xy(last, 0)[0])} ${floor}Z`;
  }
  return path;
}

export type Box = { x: number; y: number; width: number; height: number };

export const overlaps = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
