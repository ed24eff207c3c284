/** Encodes and decodes a share as a line of the journal. */
import { isAlgorithm } from '@pool/shared/domain';
import type { Share, Taken } from '../stratum/ports';

const OWN_POOL = 'own';
/** Characters. */
const MAX_UPSTREAM = 500;
/** Maximum of a database column of type `integer`. */
const MAX_ID = 2 ** 31 - 1;
/** The end of the year 9999: later days do not fit the format YYYY-MM-DD. */
const MAX_MS = Date.UTC(10_000, 0) - 1;
const MAX_DIFFICULTY = 1e30;

/** Whose upstream took it: `own` for one of the sub-account's, else its name, and what it accepts where that differs. */
function whose({ ownPool, taken, difficulty }: Share): (string | number)[] {
  if (ownPool) return [OWN_POOL];
  if (!taken) return [];
  return taken.accepted === difficulty ? [taken.upstream] : [taken.upstream, taken.accepted];
}

export const encodeShare = (share: Share): string => {
  const { at, subAccountId, algorithm, worker, outcome, difficulty } = share;
  return JSON.stringify([at, subAccountId, algorithm, worker, outcome, difficulty, ...whose(share)]);
};

const isNumber = (value: unknown, min: number, max: number): value is number =>
  typeof value === 'number' && value >= min && value <= max;

/** Undefined: no upstream is named; null: not one that the database could store. */
function takenOf(upstream: unknown, accepted: unknown): Taken | undefined | null {
  if (upstream === undefined || upstream === OWN_POOL) return undefined;
  if (typeof upstream !== 'string' || upstream.length > MAX_UPSTREAM || upstream.includes('\0')) return null;
  return isNumber(accepted, 0, MAX_DIFFICULTY) ? { upstream, accepted } : null;
}

/** Null when the line is not a share, or the database could not store it. */
export function decodeShare(line: string): Share | null {
  try {
    const [at, subAccountId, algorithm, worker, outcome, difficulty, upstream, accepted] = JSON.parse(
      line,
    ) as unknown[];
    if (!isNumber(at, 0, MAX_MS) || !isNumber(difficulty, 0, MAX_DIFFICULTY)) return null;
    if (!isNumber(subAccountId, 0, MAX_ID) || !Number.isInteger(subAccountId)) return null;
    if (typeof worker !== 'string' || worker.includes('\0')) return null;
    if (!isAlgorithm(algorithm) || (outcome !== 'accepted' && outcome !== 'stale' && outcome !== 'rejected'))
      return null;
    const taken = takenOf(upstream, accepted ?? difficulty);
    if (taken === null) return null;
    return {
      at,
      subAccountId,
      algorithm,
      worker,
      outcome,
      difficulty,
      ...(upstream === OWN_POOL ? { ownPool: true } : {}),
      ...(taken ? { taken } : {}),
    };
  } catch {
    return null;
  }
}
