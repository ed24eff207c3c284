/** A share as a line of the journal: JSON, a space, the CRC32 of the JSON; lines of older versions have none. */
import { crc32 } from 'node:zlib';
import { isAlgorithm } from '@pool/shared/domain';
import type { Share, Taken } from '../../../stratum/ports';

const OWN_POOL = 'own';
/** Characters. */
const MAX_UPSTREAM = 500;
/** Maximum of a database column of type `integer`. */
const MAX_ID = 2 ** 31 - 1;
/** The end of the year 9999: later days do not fit the format YYYY-MM-DD. */
const MAX_MS = Date.UTC(10_000, 0) - 1;
const MAX_DIFFICULTY = 1e30;

const CHECKSUM_LENGTH = 9;

const checksumOf = (json: string): string =>
  ` ${crc32(json)
    .toString(16)
    .padStart(CHECKSUM_LENGTH - 1, '0')}`;

/** Whose upstream took it: `own` for one of the sub-account's, else its name, and what it accepts where that differs. */
function whose({ ownPool, taken, difficulty }: Share): (string | number)[] {
  if (ownPool) return [OWN_POOL];
  if (!taken) return [];
  return taken.accepted === difficulty ? [taken.upstream] : [taken.upstream, taken.accepted];
}

export function encodeShare(share: Share): string {
  const { at, subAccountId, algorithm, worker, outcome, difficulty } = share;
  const json = JSON.stringify([at, subAccountId, algorithm, worker, outcome, difficulty, ...whose(share)]);
  return json + checksumOf(json);
}

/** Null when the checksum does not fit. */
function jsonOf(line: string): string | null {
  if (line.endsWith(']')) return line;
  const json = line.slice(0, -CHECKSUM_LENGTH);
  return line.slice(-CHECKSUM_LENGTH) === checksumOf(json) ? json : null;
}

const isNumber = (value: unknown, min: number, max: number): value is number =>
  typeof value === 'number' && value >= min && value <= max;

/** Undefined: no upstream is named; null: not one that the database could store. */
function takenOf(upstream: unknown, accepted: unknown): Taken | undefined | null {
  if (upstream === undefined || upstream === OWN_POOL) return undefined;
  if (typeof upstream !== 'string' || upstream.length > MAX_UPSTREAM || upstream.includes('\0')) return null;
  return isNumber(accepted, 0, MAX_DIFFICULTY) ? { upstream, accepted } : null;
}

/** Null when the line is damaged or not a share, or the database could not store it. */
export function decodeShare(line: string): Share | null {
  try {
    const json = jsonOf(line);
    if (json === null) return null;
    const [at, subAccountId, algorithm, worker, outcome, difficulty, upstream, accepted] = JSON.parse(
      json,
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
