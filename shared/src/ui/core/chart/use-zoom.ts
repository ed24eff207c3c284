import { useState } from 'react';
import type { Series } from '../../../api/schemas';
import { whole, withinOf, type Range } from './range';

/** Dragging over fewer steps than this is a click. */
const SHORTEST_BRUSH = 2;

/** The shown part of a series, kept as times: a live series moves under it. Another `step` ends it. */
export function useZoom(series: Series) {
  const { from, step, accepted, stale, rejected } = series;
  const last = accepted.length - 1;
  const [zoom, setZoom] = useState<{ from: number; to: number; step: number } | null>(null);
  const indexOf = (at: number) => Math.round((at - from) / step);
  const range: Range =
    zoom?.step === step && indexOf(zoom.to) > 0 && indexOf(zoom.from) < last
      ? withinOf([indexOf(zoom.from), indexOf(zoom.to)], last)
      : whole(last);
  const [first, end] = range;
  const part = <T>(points: readonly T[]) => points.slice(first, end + 1);
  return {
    range,
    shown:
      end - first < last
        ? { from: from + first * step, step, accepted: part(accepted), stale: part(stale), rejected: part(rejected) }
        : series,
    show: ([a, b]: Range) => {
      if (b - a >= last) setZoom(null);
      else if (b - a >= SHORTEST_BRUSH) setZoom({ from: from + a * step, to: from + b * step, step });
    },
  };
}
