/** The verdict on a worker: key and values of a sentence. */
import { type AlgorithmName, secondsPerShare, TOO_HARD_S, type Worker, type WorkerEvent } from '@pool/shared';

type Verdict =
  | { key: 'steady' | 'low'; fraction: number; limit: number; since: number | null }
  | { key: 'noMean' | 'waiting' | 'neverSeen' }
  | { key: 'back'; since: number }
  | { key: 'disconnected'; at: number }
  | { key: 'silent'; lastShareAt: number }
  /** Its upstream pool asks for a difficulty of `times` what it finds in a minute. */
  | { key: 'tooHard'; difficulty: number; times: number };

/** `events`: newest first, if known, for the time since which the hashrate is low. */
export function verdictOf(worker: Worker, algorithm: AlgorithmName, events: readonly WorkerEvent[] = []): Verdict {
  const { state } = worker;
  if (worker.lastShareAt === null) return { key: worker.connectedAt === null ? 'neverSeen' : 'waiting' };
  // The day's mean of one that is new has the time before in it.
  const usual = worker.minedSince === undefined ? worker.h24 : worker.m5;
  if (worker.difficulty !== null && usual > 0) {
    const needs = secondsPerShare(algorithm, worker.difficulty, usual);
    if (needs > TOO_HARD_S) return { key: 'tooHard', difficulty: worker.difficulty, times: needs / 60 };
  }
  if (state === 'offline' || state === 'inactive') return { key: 'silent', lastShareAt: worker.lastShareAt };
  if (worker.disconnectedAt !== undefined) return { key: 'disconnected', at: worker.disconnectedAt };
  if (worker.backSince !== undefined) return { key: 'back', since: worker.backSince };
  if (worker.h24 <= 0 || worker.minedSince !== undefined) return { key: 'noMean' };
  const fault = events.find(({ kind }) => kind === 'low' || kind === 'low_over');
  return {
    key: state === 'low' ? 'low' : 'steady',
    fraction: worker.h1 / worker.h24,
    limit: worker.alertLimit,
    since: state === 'low' && fault?.kind === 'low' ? fault.at : null,
  };
}
