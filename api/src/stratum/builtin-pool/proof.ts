/** Proof of work: builds a share's block header, hashes it and returns the difficulty the hash reaches. */
import { hash, scryptSync } from 'node:crypto';
import { ALGORITHMS, type AlgorithmName } from '@pool/shared/domain';

export const sha256d = (data: Buffer): Buffer => hash('sha256', hash('sha256', data, 'buffer'), 'buffer');

const HASH: Record<AlgorithmName, (header: Buffer) => Buffer> = {
  SHA256_ASICBOOST: sha256d,
  SCRYPT: (header) => scryptSync(header, header, 32, { N: 1024, r: 1, p: 1 }),
};

/**
 * Target of difficulty 1 as pools define it: 0xffff x 2^208 where one difficulty is worth 2^32 hashes, higher where it
 * is worth fewer.
 */
const difficultyOne = (algorithm: AlgorithmName): number =>
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
export function difficultyOf(algorithm: AlgorithmName, header: Buffer): number {
  const digest = HASH[algorithm](header);
  // The hash is a little-endian number; its five highest words hold more digits than a double.
  let value = 0;
  for (let word = 7; word >= 3; word -= 1) value = value * 2 ** 32 + digest.readUInt32LE(word * 4);
  return value === 0 ? Infinity : difficultyOne(algorithm) / (value * 2 ** 96);
}
