/** What keeps the first share away, from what the proxy knows. */
import { ALGORITHMS, type AlgorithmName, type Arrivals, type Refusal } from '@pool/shared';

/** Without a share for so long something may be wrong, or the difficulty too high for a small miner. */
const PATIENCE_S = 180;
const MOST = 4;

const minutes = (seconds: number) => Math.max(60, Math.floor(seconds / 60) * 60);

/** `ago`: seconds, whole minutes, so that it is not read out every second. */
export type Finding =
  | { kind: 'tooEasy' | 'refusedShares'; worker: string; count: number }
  | { kind: 'noShare'; worker: string; ago: number; difficulty: number | null }
  | { kind: 'otherAlgorithm'; worker: string; other: string }
  | { kind: Refusal['reason']; name: string | null; ago: number };

/** The most telling first: what connected miners do, then refused ones. `now`: Unix seconds. */
export function findingsOf({ connected, refused }: Arrivals, algorithm: AlgorithmName, now: number): Finding[] {
  const here = connected.filter((miner) => miner.algorithm === algorithm);
  const elsewhere = connected.filter((miner) => miner.algorithm !== algorithm);
  return [
    ...here.flatMap(({ worker, refusedShares: count, lowDifficulty, since, difficulty }): Finding[] => {
      if (count > 0) return [{ kind: lowDifficulty ? 'tooEasy' : 'refusedShares', worker, count }];
      return now - since > PATIENCE_S ? [{ kind: 'noShare', worker, ago: minutes(now - since), difficulty }] : [];
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
