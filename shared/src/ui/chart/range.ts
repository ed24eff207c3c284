/** The stretch of a series that is shown: first and last index, both shown. */
export type Range = readonly [from: number, to: number];

/** No stretch is shorter: two points make a line, three a shape. */
const SHORTEST = 6;

export const whole = (last: number): Range => [0, last];

/** `range` kept inside a series that may have grown or shrunk; the whole follows a growing series. */
export function withinOf([from, to]: Range, last: number): Range {
  const end = Math.min(to, last);
  return [Math.max(0, Math.min(from, end)), end];
}

const clamp = (from: number, length: number, last: number): Range => {
  const start = Math.max(0, Math.min(Math.round(from), last - length));
  return [start, start + length];
};

/** Half as much, about the middle; null when it is as near as it gets. */
export function zoomIn([from, to]: Range, last: number): Range | null {
  const length = Math.round((to - from) / 2);
  return length < SHORTEST ? null : clamp((from + to - length) / 2, length, last);
}

/** Twice as much; null when all is shown. */
export function zoomOut([from, to]: Range, last: number): Range | null {
  if (to - from >= last) return null;
  return clamp((from + to) / 2 - (to - from), Math.min(last, (to - from) * 2), last);
}

/** Half a width earlier (-1) or later (1); null at the end. */
export function move([from, to]: Range, way: -1 | 1, last: number): Range | null {
  const next = clamp(from + (way * (to - from)) / 2, to - from, last);
  return next[0] === from ? null : next;
}
