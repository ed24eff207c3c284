/** The verdict on a worker: key and values of a sentence. `tone`: the state mark beside it. */
import { TIMEFRAMES, type Series, type Worker, type WorkerState } from '@pool/shared';

export type Verdict =
  | { key: 'steady' | 'low'; tone: WorkerState; fraction: number; limit: number; since: number | null }
  | { key: 'noMean'; tone: WorkerState }
  | { key: 'silent'; tone: WorkerState; lastShareAt: number }
  | { key: 'waiting' | 'neverSeen'; tone: WorkerState };

/** `history`: the worker's last day, if known, for the time since which the hashrate is low. */
export function verdictOf(worker: Worker, history?: Series): Verdict {
  const tone = worker.state;
  if (worker.lastShareAt === null) return { key: worker.connectedAt === null ? 'neverSeen' : 'waiting', tone };
  if (tone === 'offline' || tone === 'inactive') return { key: 'silent', tone, lastShareAt: worker.lastShareAt };
  if (worker.h24 <= 0) return { key: 'noMean', tone };
  const since =
    tone === 'low' && history?.step === TIMEFRAMES.d1.step ? lowSince(history, worker.h24 * worker.alertLimit) : null;
  return {
    key: tone === 'low' ? 'low' : 'steady',
    tone,
    fraction: worker.h1 / worker.h24,
    limit: worker.alertLimit,
    since,
  };
}

/**
 * Start (Unix seconds) of the low period (below `limit`, H/s) at the end of the series; null when the series does not
 * end low, or is low from its start.
 */
export function lowSince({ from, step, accepted }: Series, limit: number): number | null {
  let start = accepted.length;
  while (start > 0 && (accepted[start - 1] ?? Infinity) < limit) start -= 1;
  return start === accepted.length || start === 0 ? null : from + start * step;
}
