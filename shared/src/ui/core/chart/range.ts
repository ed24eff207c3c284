/** The visible range of a series: first and last index, both included. */
export type Range = readonly [from: number, to: number];

/** Zooming in never gives a range shorter than this, in steps between points. */
const SHORTEST = 6;

export const whole = (last: number): Range => [0, last];

/** Clips `range` to a series that may have grown or shrunk; the full range grows with the series. */
export function withinOf([from, to]: Range, last: number): Range {
  const end = Math.min(to, last);
  return [Math.max(0, Math.min(from, end)), end];
}

const clamp = (from: number, length: number, last: number): Range => {
  const start = Math.max(0, Math.min(Math.round(from), last - length));
  return [start, start + length];
};

/** Zooms in: half the range around its middle; null at the shortest range. */
export function zoomIn([from, to]: Range, last: number): Range | null {
  const length = Math.round((to - from) / 2);
  return length < SHORTEST ? null : clamp((from + to - length) / 2, length, last);
}

/** Zooms out: twice the range; null when it is the full range. */
export function zoomOut([from, to]: Range, last: number): Range | null {
  if (to - from >= last) return null;
  return clamp((from + to) / 2 - (to - from), Math.min(last, (to - from) * 2), last);
}

/** Moves by half its width to earlier (-1) or later (1) points; null at the end. */
export function move([from, to]: Range, way: -1 | 1, last: number): Range | null {
  const next = clamp(from + (way * (to - from)) / 2, to - from, last);
  return next[0] === from ? null : next;
}
