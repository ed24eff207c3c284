/** One share as a line of the journal. */
import { isAlgorithm } from '@pool/shared/domain';
import type { Share } from '../stratum/ports';

const OWN_POOL = 'own';
/** What a column of type `integer` can hold. */
const MOST_ID = 2 ** 31 - 1;
/** The end of the year 9999: later days have no name of ten characters. */
const MOST_MS = Date.UTC(10_000, 0) - 1;
const MOST_DIFFICULTY = 1e30;

export const encodeShare = ({ subAccountId, algorithm, worker, difficulty, outcome, at, ownPool }: Share): string =>
  JSON.stringify([at, subAccountId, algorithm, worker, outcome, difficulty, ...(ownPool ? [OWN_POOL] : [])]);

const isNumber = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most;

/** Null when it is no share, or none that the database could take. */
export function decodeShare(line: string): Share | null {
  try {
    const [at, subAccountId, algorithm, worker, outcome, difficulty, whose] = JSON.parse(line) as unknown[];
    if (!isNumber(at, 0, MOST_MS) || !isNumber(difficulty, 0, MOST_DIFFICULTY)) return null;
    if (!isNumber(subAccountId, 0, MOST_ID) || !Number.isInteger(subAccountId)) return null;
    if (typeof worker !== 'string' || worker.includes('\0')) return null;
    if (!isAlgorithm(algorithm) || (outcome !== 'accepted' && outcome !== 'stale' && outcome !== 'rejected'))
      return null;
    return {
      at,
      subAccountId,
      algorithm,
      worker,
      outcome,
      difficulty,
      ...(whose === OWN_POOL ? { ownPool: true } : {}),
    };
  } catch {
    return null;
  }
}
