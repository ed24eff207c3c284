/** What keeps the first share away, from what the proxy knows. */
import { ALGORITHMS, type AlgorithmName, type Arrivals, type Refusal, secondsPerShare } from '@pool/shared';

/** Time without a share after which something may be wrong, or the difficulty too high for a small miner. */
const PATIENCE_S = 180;
const MOST = 4;

const minutes = (seconds: number) => Math.max(60, Math.floor(seconds / 60) * 60);

/** `ago`: seconds, whole minutes, so that it is not read out every second. */
export type Finding =
  | { kind: 'tooEasy' | 'refusedShares'; worker: string; count: number }
  /** `hashrate` (H/s) finds a share a minute at this difficulty. */
  | { kind: 'noShare'; worker: string; ago: number; difficulty: number; hashrate: number }
  | { kind: 'otherAlgorithm'; worker: string; other: string }
  | { kind: Refusal['reason']; name: string | null; ago: number };

/** The most telling first: what connected miners do, then refused ones. `now`: Unix seconds. */
export function findingsOf({ connected, refused }: Arrivals, algorithm: AlgorithmName, now: number): Finding[] {
  const here = connected.filter((miner) => miner.algorithm === algorithm);
  const elsewhere = connected.filter((miner) => miner.algorithm !== algorithm);
  return [
    ...here.flatMap(({ worker, refusedShares: count, lowDifficulty, since, difficulty }): Finding[] => {
      if (count > 0) return [{ kind: lowDifficulty ? 'tooEasy' : 'refusedShares', worker, count }];
      if (difficulty === null || now - since <= PATIENCE_S) return [];
      const aMinute = secondsPerShare(algorithm, difficulty, 60);
      return [{ kind: 'noShare', worker, ago: minutes(now - since), difficulty, hashrate: aMinute }];
    }),
    ...elsewhere.map(({ worker, algorithm: other }): Finding => ({
      kind: 'otherAlgorithm',
      worker,
      other: ALGORITHMS[other].label,
    })),
    // A miner that is connected now has been let in since.
    ...(here.length > 0 ? [] : refused).map(({ reason, name, at }): Finding => ({
      kind: reason,
      name,
      ago: minutes(now - at),
    })),
  ].slice(0, MOST);
}
