/**
 * Encodes and decodes a share as a line of the journal: JSON, a space, and the CRC32 of the JSON as eight hexadecimal
 * digits. Lines without a checksum are of older versions, or mended by a person.
 */
import { crc32 } from 'node:zlib';
import { isAlgorithm } from '@pool/shared/domain';
import type { Share } from '../stratum/ports';

const OWN_POOL = 'own';
/** Maximum of a database column of type `integer`. */
const MAX_ID = 2 ** 31 - 1;
/** The end of the year 9999: later days do not fit the format YYYY-MM-DD. */
const MAX_MS = Date.UTC(10_000, 0) - 1;
const MAX_DIFFICULTY = 1e30;

/** Length of ` 1a2b3c4d`. */
const CHECKSUM_LENGTH = 9;

const checksumOf = (json: string): string =>
  ` ${crc32(json)
    .toString(16)
    .padStart(CHECKSUM_LENGTH - 1, '0')}`;

export function encodeShare({ subAccountId, algorithm, worker, difficulty, outcome, at, ownPool }: Share): string {
  const json = JSON.stringify([
    at,
    subAccountId,
    algorithm,
    worker,
    outcome,
    difficulty,
    ...(ownPool ? [OWN_POOL] : []),
  ]);
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

/** Null when the line is damaged or not a share, or the database could not store it. */
export function decodeShare(line: string): Share | null {
  try {
    const json = jsonOf(line);
    if (json === null) return null;
    const [at, subAccountId, algorithm, worker, outcome, difficulty, whose] = JSON.parse(json) as unknown[];
    if (!isNumber(at, 0, MAX_MS) || !isNumber(difficulty, 0, MAX_DIFFICULTY)) return null;
    if (!isNumber(subAccountId, 0, MAX_ID) || !Number.isInteger(subAccountId)) return null;
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
