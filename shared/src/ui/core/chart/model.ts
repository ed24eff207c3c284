/** Computes everything a hashrate chart draws from its series and size. Pure, in CSS pixels. */
import { convertHashrate, hashrateUnit, unitScale, type HashrateUnit } from '../../../domain';
import type { Series } from '../../../api/schemas';
import type { TimeZone } from '../format/time';
import { tickDecimals, timeTicks, valueTicks } from './scale';
import { freest, gapsOf, type Box } from './shape';

export const GUTTER = 36;
export const HEAD = 6;
export const AXIS = 26;
/** Heights of the loss lane below the time axis: heading and lane. */
const LANE_HEAD = 24;
const LANE = 38;
/** Smallest full scale of the lane (part of all work): a smaller loss does not fill it. */
const LANE_TOP_AT_LEAST = 0.015;

export type Line = { value: number; label: string };
export type ModelInput = {
  series: Series;
  width: number;
  plotHeight: number;
  zone: TimeZone;
  mean?: Line;
  limit?: Line;
  lane: boolean;
  /** Text of a gap, from its first missing point to the next known one (Unix seconds). */
  gapLabel: (from: number, to: number) => string;
  /** Width of `text` in the chart's 11 px font. */
  measure: (text: string) => number;
};
export type Label = Box & { text: string };
export type Model = ReturnType<typeof chartModel>;

/** Stale and rejected work as a part of all work, per point; null when unknown. */
export function lossOf({ accepted, stale, rejected }: Series): (number | null)[] {
  return accepted.map((good, i) => {
    if (good === null) return null;
    const lost = (stale[i] ?? 0) + (rejected[i] ?? 0);
    return good + lost > 0 ? lost / (good + lost) : 0;
  });
}

/** Stale and rejected parts over the whole series; null without work. */
export function totalLoss({ accepted, stale, rejected }: Series): number | null {
  const sum = (points: readonly (number | null)[]) => points.reduce<number>((a, b) => a + (b ?? 0), 0);
  const lost = sum(stale) + sum(rejected);
  const all = sum(accepted) + lost;
  return all > 0 ? lost / all : null;
}

export function chartModel({ series, width, plotHeight, zone, mean, limit, lane, gapLabel, measure }: ModelInput) {
  const { from, step, accepted } = series;
  const last = Math.max(1, accepted.length - 1);
  const top = HEAD;
  const floor = HEAD + plotHeight;
  const plotWidth = Math.max(1, width - GUTTER);
  const max = Math.max(...accepted.map((p) => p ?? 0), mean?.value ?? 0, limit?.value ?? 0);
  const unit: HashrateUnit = hashrateUnit(max);
  const scale = unitScale(unit);
  const values = valueTicks(max / scale, plotHeight >= 200 ? 4 : 3);
  const topValue = (values.at(-1) ?? 1) * scale;
  const x = (index: number) => GUTTER + (index / last) * plotWidth;
  const y = (value: number) => floor - (value / topValue) * plotHeight;
  const end = from + last * step;
  const times = timeTicks(from, end, zone, Math.min(7.5, plotWidth / 46));
  const decimals = tickDecimals(values);

  const line = accepted.flatMap((p, i): [number, number][] => (p === null ? [] : [[x(i), y(p)]]));
  const taken: Box[] = [];
  const place = (text: string, candidates: (w: number, h: number) => Box[]): Label | null => {
    const box = freest(candidates(measure(text) + 8, 18), line, taken);
    if (!box) return null;
    taken.push(box);
    return { ...box, text };
  };
  /** Position of a label: below or above a horizontal line, at its start or end. */
  const along =
    (at: number, belowFirst: boolean) =>
    (w: number, h: number): Box[] => {
      const start = GUTTER + 3;
      const stop = width - w - 3;
      const below = at + 5;
      const above = at - h - 4;
      const boxes = [
        { x: start, y: below },
        { x: stop, y: above },
        { x: start, y: above },
        { x: stop, y: below },
      ];
      return (belowFirst ? boxes : [...boxes].reverse())
        .filter((b) => b.y >= top && b.y + h <= floor)
        .map((b) => ({ ...b, width: w, height: h }));
    };
  const meanLine = mean && { y: y(mean.value), label: place(mean.label, along(y(mean.value), true)) };
  const limitLine = limit && { y: y(limit.value), label: place(limit.label, along(y(limit.value), true)) };

  const gaps = gapsOf(accepted).map(([a, b]) => {
    const left = x(a - 1);
    const right = x(Math.min(b + 1, last));
    const text = gapLabel(from + a * step, from + (b + 1) * step);
    return { x: left, width: Math.max(2, right - left), text };
  });
  // Place the labels of the longest gaps first; a gap without free space has no label (the summary names it).
  const gapLabels = [...gaps]
    .sort((a, b) => b.width - a.width)
    .flatMap((gap): Label[] => {
      const w = measure(gap.text) + 8;
      const boxes = [gap.x + gap.width + 8, gap.x - w - 8]
        .filter((at) => at >= GUTTER && at + w <= width)
        .map((at) => ({ x: at, y: floor - 25, width: w, height: 18 }));
      const free = boxes.filter(
        (box) =>
          !taken.some(
            (t) =>
              box.x < t.x + t.width && t.x < box.x + box.width && box.y < t.y + t.height && t.y < box.y + box.height,
          ) && !line.some(([px, py]) => px >= box.x && px <= box.x + w && py >= box.y),
      );
      const box = free[0];
      if (!box) return [];
      taken.push(box);
      return [{ ...box, text: gap.text }];
    });

  const laneTop = floor + AXIS + LANE_HEAD;
  const loss = lossOf(series);
  const laneMax = Math.max(LANE_TOP_AT_LEAST, ...loss.map((p) => (p ?? 0) * 1.2));
  return {
    width,
    height: lane ? laneTop + LANE + 1 : floor + AXIS,
    top,
    floor,
    plotWidth,
    plotHeight,
    unit,
    x,
    y,
    valueTicks: values.map((value) => ({ y: y(value * scale), text: value.toFixed(decimals) })),
    timeTicks: times.at.map((t) => ({ x: GUTTER + ((t - from) / (end - from || 1)) * plotWidth, at: t })),
    timeKind: times.kind,
    mean: meanLine,
    limit: limitLine,
    gaps,
    gapLabels,
    lane: lane
      ? {
          top: laneTop,
          floor: laneTop + LANE,
          heading: floor + AXIS + 11,
          points: loss,
          y: (p: number) => laneTop + LANE - (p / laneMax) * (LANE - 3),
          total: totalLoss(series),
        }
      : null,
    timeOf: (index: number) => from + index * step,
    inUnit: (hs: number) => convertHashrate(hs, unit, 2).toFixed(2),
  };
}
