/** Computes everything a hashrate chart draws from its series and size. Pure, in CSS pixels. */
import { hashrateUnit, unitScale, type HashrateUnit } from '../../../domain';
import type { Series } from '../../../api/schemas';
import type { TimeZone } from '../format/time';
import { tickDecimals, timeTicks, valueTicks, type TimeTicks } from './scale';
import { gapsOf, overlaps, type Box } from './shape';
import { scaled } from '../theme/rem';

export const GUTTER = scaled(36);
const HEAD = 6;
/** Height of a row above the plot: the axis's unit at its start, what lines mean at its end. */
const NOTES = scaled(16);
/** Pixels of the piece of line before a note's text, and of the room to the next note. */
const NOTE_LINE = 18;
const NOTE_GAP = 14;
const AXIS = scaled(26);
/** Heights of the loss lane below the time axis: heading (with the zoom buttons) and lane. */
const LANE_HEAD = { narrow: 40, wide: 28 };
export const NARROW = 500;
const LANE = 38;
/** Smallest full scale of the lane (part of all work): a smaller loss does not fill it. */
const LANE_TOP_AT_LEAST = 0.015;

export type Line = { value: number; label: string };
/** `points`: H/s. */
export type OtherLine = { label: string; points: readonly (number | null)[] };
export type ModelInput = {
  series: Series;
  width: number;
  /** Height of the plot with the rows above it. */
  height: number;
  zone: TimeZone;
  mean?: Line;
  limit?: Line;
  /** Step by step as the series. */
  others?: readonly OtherLine[];
  name?: string;
  lane: boolean;
  /** A value of the axis in the form of the language. */
  decimal: (value: number, decimals: number) => string;
  /** Text of a time on the axis. */
  tickText: (kind: TimeTicks['kind'], at: number) => string;
  /** Text of a gap, from its first missing point to the next known one (Unix seconds). */
  gapLabel: (from: number, to: number) => string;
  /** Width of `text` in the chart's 11 px font. */
  measure: (text: string) => number;
};
export type Label = Box & { text: string };
/** What a line means, above the plot: `x` is where its piece of line begins, `y` the text's baseline. */
type Note = { x: number; y: number; text: string };
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

/** Notes in their order at the end of the rows above the plot; one that has no room begins the next row. */
function placeNotes(texts: readonly string[], width: number, measure: ModelInput['measure']) {
  let row = 0;
  let room = width;
  const notes: Note[] = [];
  for (const text of texts) {
    const wide = NOTE_LINE + measure(text);
    if (room - wide < GUTTER && room < width) {
      row += 1;
      room = width;
    }
    const y = HEAD + row * NOTES + 5;
    // Those before it in its row make room.
    for (const before of notes) if (before.y === y) before.x -= wide + NOTE_GAP;
    notes.push({ x: width - wide, y, text });
    room -= wide + NOTE_GAP;
  }
  return { notes, rows: row + 1 };
}

/** Times that are round and whose texts do not meet. */
function placeTimes(
  { zone, measure, tickText }: ModelInput,
  from: number,
  end: number,
  x: (at: number) => number,
  plotWidth: number,
) {
  for (let most = Math.min(7.5, plotWidth / 46); ; most /= 1.4) {
    const { at, kind } = timeTicks(from, end, zone, most);
    const ticks = at.map((time) => ({ at: time, x: x(time), text: tickText(kind, time) }));
    const meet = ticks.some((tick, i) => {
      const next = ticks[i + 1];
      return next && next.x - tick.x < (measure(tick.text) + measure(next.text)) / 2 + 6;
    });
    if (!meet || most < 2) return ticks;
  }
}

export function chartModel(input: ModelInput) {
  const { series, width, height, mean, limit, others = [], name, lane, decimal, gapLabel, measure } = input;
  const { from, step, accepted } = series;
  const last = Math.max(1, accepted.length - 1);
  const lines = [limit, mean].filter((line) => line !== undefined);
  const { notes, rows } = placeNotes(
    [...lines, ...(name === undefined ? [] : [{ label: name }, ...others])].map(({ label }) => label),
    width,
    measure,
  );
  const top = HEAD + rows * NOTES;
  const floor = HEAD + height;
  const plotHeight = floor - top;
  const plotWidth = Math.max(1, width - GUTTER);
  const max = Math.max(
    ...[accepted, ...others.map(({ points }) => points)].flat().map((p) => p ?? 0),
    ...lines.map(({ value }) => value),
    0,
  );
  const unit: HashrateUnit = hashrateUnit(max);
  const scale = unitScale(unit);
  const values = valueTicks(max / scale, plotHeight >= 160 ? 4 : 3);
  const topValue = (values.at(-1) ?? 1) * scale;
  const x = (index: number) => GUTTER + (index / last) * plotWidth;
  const y = (value: number) => floor - (value / topValue) * plotHeight;
  const end = from + last * step;
  const times = placeTimes(input, from, end, (at) => x((at - from) / step), plotWidth);
  const decimals = tickDecimals(values);
  const lineOf = (line: Line | undefined) =>
    line && { y: y(line.value), note: notes[lines.indexOf(line)] ?? { x: 0, y: 0, text: line.label } };

  const line = accepted.flatMap((p, i): [number, number][] => (p === null ? [] : [[x(i), y(p)]]));
  const taken: Box[] = [];
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
        .map((at) => ({ x: at, y: floor - scaled(18) - 7, width: w, height: scaled(18) }));
      const free = boxes.filter(
        (box) =>
          !taken.some((other) => overlaps(box, other)) &&
          !line.some(([px, py]) => px >= box.x && px <= box.x + w && py >= box.y),
      );
      const box = free[0];
      if (!box) return [];
      taken.push(box);
      return [{ ...box, text: gap.text }];
    });

  const laneHead = width < NARROW ? LANE_HEAD.narrow : LANE_HEAD.wide;
  const laneTop = floor + AXIS + laneHead;
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
    valueTicks: values.map((value) => ({ y: y(value * scale), text: decimal(value, decimals) })),
    timeTicks: times,
    mean: lineOf(mean),
    limit: lineOf(limit),
    others,
    /** Names of the series and the others, when they are named. */
    names: notes.slice(lines.length),
    gaps,
    gapLabels,
    lane: lane
      ? {
          top: laneTop,
          floor: laneTop + LANE,
          /** Middle of its heading, and the heading's height. */
          heading: floor + AXIS + laneHead / 2,
          head: laneHead,
          points: loss,
          y: (p: number) => laneTop + LANE - (p / laneMax) * (LANE - 3),
          total: totalLoss(series),
        }
      : null,
    timeOf: (index: number) => from + index * step,
  };
}
