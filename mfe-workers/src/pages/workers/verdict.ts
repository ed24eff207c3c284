/** The verdict on a worker: key and values of a sentence. */
import type { Worker, WorkerEvent } from '@pool/shared';

type Fault = { at: number; what: WorkerEvent['kind'] };

type Verdict =
  | { key: 'steady' | 'low'; fraction: number; limit: number; since: number | null }
  | { key: 'noMean' | 'waiting' | 'neverSeen' }
  | { key: 'back'; since: number }
  | { key: 'disconnected'; at: number }
  | { key: 'silent'; lastShareAt: number };

/** `events`: newest first, if known, for the time since which the hashrate is low. */
export function verdictOf(worker: Worker, events: readonly Fault[] = []): Verdict {
  const { state } = worker;
  if (worker.lastShareAt === null) return { key: worker.connectedAt === null ? 'neverSeen' : 'waiting' };
  if (state === 'offline' || state === 'inactive') return { key: 'silent', lastShareAt: worker.lastShareAt };
  if (worker.disconnectedAt !== undefined) return { key: 'disconnected', at: worker.disconnectedAt };
  if (worker.backSince !== undefined) return { key: 'back', since: worker.backSince };
  if (worker.h24 <= 0 || worker.minedSince !== undefined) return { key: 'noMean' };
  const fault = events.find(({ what }) => what === 'low' || what === 'low_over');
  return {
    key: state === 'low' ? 'low' : 'steady',
    fraction: worker.h1 / worker.h24,
    limit: worker.alertLimit,
    since: state === 'low' && fault?.what === 'low' ? fault.at : null,
  };
}
