/** Proof of work: builds a share's block header, hashes it and returns the difficulty the hash reaches. */
import { hash, scrypt, type ScryptOptions, scryptSync } from 'node:crypto';
import { promisify } from 'node:util';
import { ALGORITHMS, type AlgorithmName } from '@pool/shared/domain';

export const sha256d = (data: Buffer): Buffer => hash('sha256', hash('sha256', data, 'buffer'), 'buffer');

const SCRYPT: ScryptOptions = { N: 1024, r: 1, p: 1 };
const scryptOffLoop = promisify<Buffer, Buffer, number, ScryptOptions, Buffer>(scrypt);

const HASH: Record<AlgorithmName, (header: Buffer) => Buffer> = {
  SHA256_ASICBOOST: sha256d,
  SCRYPT: (header) => scryptSync(header, header, 32, SCRYPT),
};

/** Target of difficulty 1 as pools define it: 0xffff x 2^208 where a difficulty is worth 2^32 hashes. */
export const difficultyOne = (algorithm: AlgorithmName): number =>
  0xffff * 2 ** 208 * (2 ** 32 / ALGORITHMS[algorithm].hashesPerDifficulty);

/** Stratum sends the previous block's hash as eight words, each reversed. */
export function swapWords(hex: string): Buffer {
  const bytes = Buffer.from(hex, 'hex');
  return bytes.swap32();
}

/** Root of the Merkle tree from the coinbase and the branches beside its path. */
export const merkleRoot = (coinbase: Buffer, branches: readonly Buffer[]): Buffer =>
  branches.reduce((root, branch) => sha256d(Buffer.concat([root, branch])), sha256d(coinbase));

export type HeaderFields = {
  version: number;
  prevHash: Buffer;
  merkleRoot: Buffer;
  ntime: number;
  nbits: number;
  nonce: number;
};

/** The 80 bytes of the header that are hashed. */
export function blockHeader({ version, prevHash, merkleRoot: root, ntime, nbits, nonce }: HeaderFields): Buffer {
  const header = Buffer.alloc(80);
  header.writeUInt32LE(version >>> 0, 0);
  prevHash.copy(header, 4);
  root.copy(header, 36);
  header.writeUInt32LE(ntime, 68);
  header.writeUInt32LE(nbits, 72);
  header.writeUInt32LE(nonce, 76);
  return header;
}

/** Difficulty the header's hash reaches; a double, exact to 15 digits. */
export const difficultyOf = (algorithm: AlgorithmName, header: Buffer): number =>
  difficultyOfHash(algorithm, HASH[algorithm](header));

/** Same as `difficultyOf`. A hash that takes long (scrypt: 0.4 ms) is computed outside the event loop. */
export function difficultyOffLoop(algorithm: AlgorithmName, header: Buffer): number | Promise<number> {
  if (algorithm !== 'SCRYPT') return difficultyOf(algorithm, header);
  return scryptOffLoop(header, header, 32, SCRYPT).then((digest) => difficultyOfHash(algorithm, digest));
}

/** Allows for rounding of doubles: a hash exactly at the target passes. */
const ROUNDING = 1 - 1e-9;

export const reaches = (difficulty: number, required: number): boolean => difficulty >= required * ROUNDING;

function difficultyOfHash(algorithm: AlgorithmName, digest: Buffer): number {
  // The hash is a little-endian number; its five highest words hold more digits than a double.
  let value = 0;
  for (let word = 7; word >= 3; word -= 1) value = value * 2 ** 32 + digest.readUInt32LE(word * 4);
  return value === 0 ? Infinity : difficultyOne(algorithm) / (value * 2 ** 96);
}
