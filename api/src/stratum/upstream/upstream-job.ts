import { createHash } from 'node:crypto';
import type { AlgorithmName } from '@pool/shared/domain';
import { difficultyOne, swapWords } from '../wire/proof';
import type { Extranonce } from '../wire/extranonce';
import { isHex, isHexUpTo, numberOf } from '../wire/protocol';

export type UpstreamJob = {
  /** The id as the upstream sent it: it looks for the same one in a share. */
  id: string | number;
  prevHash: string;
  coinb1: string;
  coinb2: string;
  branches: string[];
  version: string;
  nbits: string;
  ntime: string;
  clean: boolean;
};

/** The parts of a job that all connections and miners have alike. */
type Common = Pick<UpstreamJob, 'prevHash' | 'coinb2' | 'branches' | 'nbits'>;

const MAX_COINBASE_BYTES = 16 * 1024;
const MAX_BRANCHES = 32;

const isJobId = (id: unknown): id is string | number =>
  typeof id === 'string' ? id.length > 0 && id.length <= 64 : Number.isSafeInteger(id);

/** Parameters of `mining.notify`; null when malformed. */
export function parseNotify(params: unknown[]): UpstreamJob | null {
  const [id, prevHash, coinb1, coinb2, branches, version, nbits, ntime, clean] = params;
  if (!isJobId(id)) return null;
  if (!isHex(prevHash, 32) || !isHexUpTo(coinb1, MAX_COINBASE_BYTES) || !isHexUpTo(coinb2, MAX_COINBASE_BYTES))
    return null;
  if (!Array.isArray(branches) || branches.length > MAX_BRANCHES || !branches.every((b): b is string => isHex(b, 32)))
    return null;
  if (!isHex(version, 4) || !isHex(nbits, 4) || !isHex(ntime, 4)) return null;
  return { id, prevHash, coinb1, coinb2, branches, version, nbits, ntime, clean: clean === true };
}

/** The line that tells a miner of a job. All parts are hexadecimal or JSON. */
export function notifyLine(
  { prevHash, coinb2, branches, nbits }: Common,
  { id, coinb1, version, ntime, clean }: { id: string; coinb1: string; version: string; ntime: string; clean: boolean },
): string {
  const tree = branches.length ? `"${branches.join('","')}"` : '';
  return (
    `{"id":null,"method":"mining.notify","params":["${id}","${prevHash}","${coinb1}","${coinb2}",[${tree}],` +
    `"${version}","${nbits}","${ntime}",${clean}]}`
  );
}

/** Equal for jobs whose shares have the same headers, even if their ids differ. */
export function workOf({ prevHash, coinb1, coinb2, branches, version, nbits }: UpstreamJob): string {
  const parts = [prevHash, coinb1, coinb2, ...branches, version, nbits];
  return createHash('sha256').update(parts.join()).digest('base64');
}

/** A job's parts that a header is made of, as bytes. */
export type JobTemplate = { prevHash: Buffer; coinb2: Buffer; branches: readonly Buffer[]; nbits: number };

export const templateOf = ({ prevHash, coinb2, branches, nbits }: Common): JobTemplate => ({
  prevHash: swapWords(prevHash),
  coinb2: Buffer.from(coinb2, 'hex'),
  branches: branches.map((branch) => Buffer.from(branch, 'hex')),
  nbits: parseInt(nbits, 16),
});

/** Difficulties outside are refused: a share a millisecond, or more than a year of the whole network. */
const SANE_DIFFICULTY = { min: 1e-10, max: 1e18 };

export const parseDifficulty = ([sent]: unknown[]): number | null => {
  const value = numberOf(sent);
  return value >= SANE_DIFFICULTY.min && value <= SANE_DIFFICULTY.max ? value : null;
};

/** The difficulty of `mining.suggest_target`, whose target is hexadecimal, its highest digits first. */
export function difficultyOfTarget(algorithm: AlgorithmName, params: unknown[]): number | null {
  const [target] = params;
  return isHexUpTo(target, 32) && target ? parseDifficulty([difficultyOne(algorithm) / Number(`0x${target}`)]) : null;
}

/** `d=<difficulty>` in a miner's password, whatever else it contains; null without a sane one. */
export function difficultyOfPassword(password: unknown): number | null {
  if (typeof password !== 'string' || password.length > 200) return null;
  const [, digits] = /(?:^|[\s,;])d=(\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?=$|[\s,;])/i.exec(password) ?? [];
  return digits === undefined ? null : parseDifficulty([Number(digits)]);
}

const MAX_EXTRANONCE_BYTES = 32;

/** `[extranonce1, size]` of a subscription or of `mining.set_extranonce`. */
export function parseExtranonce(extranonce1: unknown, sent: unknown): Extranonce | null {
  const size = numberOf(sent);
  if (!isHexUpTo(extranonce1, MAX_EXTRANONCE_BYTES) || !Number.isInteger(size)) return null;
  return size >= 1 && size <= MAX_EXTRANONCE_BYTES ? { extranonce1, size } : null;
}
