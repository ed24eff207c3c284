import { setTimeout } from 'node:timers/promises';

const BETWEEN_MS = 250;

/** Repeats `work` until it says that it is done, for `ms` at most; returns whether it is. */
export async function keepTrying(ms: number, work: () => Promise<boolean>, betweenMs = BETWEEN_MS): Promise<boolean> {
  const until = performance.now() + ms;
  while (!(await work())) {
    if (performance.now() >= until) return false;
    await setTimeout(betweenMs);
  }
  return true;
}
