/** Where events stand on a chart: those too near to each other share one mark. */
import type { TimelineEntry } from '@pool/shared';

export type Cluster = { x: number; events: TimelineEntry[] };
/** The visible times (Unix seconds) and the place of a time (px). `toEnd`: whether the series ends there too. */
export type Times = { x(at: number): number; from: number; to: number; toEnd: boolean };

/** Marks are at least so far apart, px: the width of a target. */
const APART = 24;

const isShown = (event: TimelineEntry, { from, to, toEnd }: Times) =>
  (event.at <= to || toEnd) && (event.kind === 'outage' ? (event.until ?? to) >= from : event.at >= from);

/** An event after the last step stands at its end; an outage that began before the first at its start. */
const clamp = (at: number, { from, to }: Times) => Math.min(to, Math.max(from, at));

/** `events`: the newest first. */
export function clustersOf(events: readonly TimelineEntry[], times: Times): Cluster[] {
  const clusters: Cluster[] = [];
  for (const event of events.filter((one) => isShown(one, times)).reverse()) {
    const x = times.x(clamp(event.at, times));
    const last = clusters.at(-1);
    if (last && x - last.x < APART) last.events.push(event);
    else clusters.push({ x, events: [event] });
  }
  return clusters;
}

/** The parts of the time axis during which the pool was out. */
export const outageBars = (events: readonly TimelineEntry[], times: Times): { x: number; width: number }[] =>
  events.flatMap((event) => {
    if (event.kind !== 'outage' || !isShown(event, times)) return [];
    const x = times.x(clamp(event.at, times));
    return [{ x, width: Math.max(2, times.x(clamp(event.until ?? times.to, times)) - x) }];
  });
