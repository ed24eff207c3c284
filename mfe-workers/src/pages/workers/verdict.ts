/** The verdict on a worker: key and values of a sentence. `tone`: the state mark beside it. */
import {
  type AlgorithmName,
  secondsPerShare,
  TIMEFRAMES,
  TOO_HARD_S,
  type Series,
  type Worker,
  type WorkerState,
} from '@pool/shared';

export type Verdict =
  | { key: 'steady' | 'low'; tone: WorkerState; fraction: number; limit: number; since: number | null }
  | { key: 'noMean'; tone: WorkerState }
  | { key: 'silent'; tone: WorkerState; lastShareAt: number }
  /** Its upstream pool asks for a difficulty of `times` what it finds in a minute. */
  | { key: 'tooHard'; tone: WorkerState; difficulty: number; times: number }
  | { key: 'waiting' | 'neverSeen'; tone: WorkerState };

/** `history`: the worker's last day, if known, for the time since which the hashrate is low. */
export function verdictOf(worker: Worker, algorithm: AlgorithmName, history?: Series): Verdict {
  const tone = worker.state;
  if (worker.lastShareAt === null) return { key: worker.connectedAt === null ? 'neverSeen' : 'waiting', tone };
  if (worker.difficulty !== null && worker.h24 > 0) {
    const needs = secondsPerShare(algorithm, worker.difficulty, worker.h24);
    if (needs > TOO_HARD_S) return { key: 'tooHard', tone, difficulty: worker.difficulty, times: needs / 60 };
  }
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
