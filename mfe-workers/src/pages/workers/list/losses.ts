/** What workers make less than they could, and totals of their hashrates. Pure functions, fast enough for 10,000. */
import type { Worker } from '@pool/shared';

/** A smaller deficit is chance. */
const NOTABLE = 0.05;

/** The middle one of the hours with shares, H/s. */
function usualOf({ spark }: Worker): number {
  const hours = spark.filter((hs) => hs !== null).sort((a, b) => a - b);
  return hours[hours.length >> 1] ?? 0;
}

/** H/s that a worker makes less than in its usual hour, and that are stale or rejected; 0 for an inactive one. */
export function lostOf(worker: Worker): number {
  const { state, h1, h24, backSince, disconnectedAt, rejectRate, staleRate } = worker;
  if (state === 'inactive') return 0;
  const now = state === 'offline' || disconnectedAt !== undefined ? 0 : h1;
  const bad = rejectRate + staleRate;
  const unpaid = bad < 1 ? (now * bad) / (1 - bad) : 0;
  // Most run as ever: their hours need no sorting. The hour of one that has just come back says nothing yet.
  const usual = state === 'online' && (h1 > 0.9 * h24 || backSince !== undefined) ? h1 : usualOf(worker);
  return unpaid + (usual - now > NOTABLE * usual ? usual - now : 0);
}

/** The hashrate of workers together, H/s: means of workers of an account are of the same time, and add up. */
export const totalOf = (workers: readonly Worker[], window: 'm5' | 'h1' | 'h24'): number =>
  workers.reduce((sum, worker) => sum + worker[window], 0);
