/** The verdict on a worker: key and values of a sentence. `tone`: the state mark beside it. */
import {
  type AlgorithmName,
  secondsPerShare,
  TOO_HARD_S,
  type Worker,
  type WorkerEvent,
  type WorkerState,
} from '@pool/shared';

export type Verdict =
  | { key: 'steady' | 'low'; tone: WorkerState; fraction: number; limit: number; since: number | null }
  | { key: 'noMean'; tone: WorkerState }
  | { key: 'back'; tone: WorkerState; since: number }
  | { key: 'silent'; tone: WorkerState; lastShareAt: number }
  /** Its upstream pool asks for a difficulty of `times` what it finds in a minute. */
  | { key: 'tooHard'; tone: WorkerState; difficulty: number; times: number }
  | { key: 'waiting' | 'neverSeen'; tone: WorkerState };

/** `events`: newest first, if known, for the time since which the hashrate is low. */
export function verdictOf(worker: Worker, algorithm: AlgorithmName, events: readonly WorkerEvent[] = []): Verdict {
  const tone = worker.state;
  if (worker.lastShareAt === null) return { key: worker.connectedAt === null ? 'neverSeen' : 'waiting', tone };
  if (worker.difficulty !== null && worker.h24 > 0) {
    const needs = secondsPerShare(algorithm, worker.difficulty, worker.h24);
    if (needs > TOO_HARD_S) return { key: 'tooHard', tone, difficulty: worker.difficulty, times: needs / 60 };
  }
  if (tone === 'offline' || tone === 'inactive') return { key: 'silent', tone, lastShareAt: worker.lastShareAt };
  if (worker.backSince !== undefined) return { key: 'back', tone, since: worker.backSince };
  if (worker.h24 <= 0 || worker.minedSince !== undefined) return { key: 'noMean', tone };
  const fault = events.find(({ kind }) => kind === 'low' || kind === 'low_over');
  return {
    key: tone === 'low' ? 'low' : 'steady',
    tone,
    fraction: worker.h1 / worker.h24,
    limit: worker.alertLimit,
    since: tone === 'low' && fault?.kind === 'low' ? fault.at : null,
  };
}
