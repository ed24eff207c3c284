/** What workers make less than they could, and totals of their hashrates. Pure functions, fast enough for 10,000. */
import type { Worker } from '@pool/shared';

/** A smaller deficit is chance. */
const NOTABLE = 0.05;

/** Each is asked for by the list, its sums and the map. */
const usuals = new WeakMap<Worker, number>();
/** The middle one of the hours with shares, H/s. */
function usualOf(worker: Worker): number {
  const known = usuals.get(worker);
  if (known !== undefined) return known;
  const hours = worker.spark.filter((hs) => hs !== null).sort((a, b) => a - b);
  const usual = hours[hours.length >> 1] ?? 0;
  usuals.set(worker, usual);
  return usual;
}

/** H/s that a worker makes in a usual hour; 0 of an inactive one. */
export function expectedOf(worker: Worker): number {
  const { state, h1, h24, backSince } = worker;
  if (state === 'inactive') return 0;
  // Most run as ever: their hours need no sorting. The hour of one that has just come back says nothing yet.
  return state === 'online' && (h1 > 0.9 * h24 || backSince !== undefined) ? h1 : usualOf(worker);
}

/** H/s that it makes now, in its last hour. */
export const nowOf = ({ state, h1, disconnectedAt }: Worker): number =>
  state === 'offline' || state === 'inactive' || disconnectedAt !== undefined ? 0 : h1;

/** H/s that a worker makes less than is expected, and that are stale or rejected; 0 for an inactive one. */
export function lostOf(worker: Worker): number {
  const now = nowOf(worker);
  const bad = worker.rejectRate + worker.staleRate;
  const unpaid = bad < 1 ? (now * bad) / (1 - bad) : 0;
  const usual = expectedOf(worker);
  return unpaid + (usual - now > NOTABLE * usual ? usual - now : 0);
}

export const sumOf = (workers: readonly Worker[], of: (worker: Worker) => number): number =>
  workers.reduce((sum, worker) => sum + of(worker), 0);

/** The hashrate of workers together, H/s: means of workers of an account are of the same time, and add up. */
export const totalOf = (workers: readonly Worker[], window: 'm5' | 'h1' | 'h24'): number =>
  sumOf(workers, (worker) => worker[window]);
