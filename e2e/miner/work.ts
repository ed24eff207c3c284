/** A miner's calculations: the header of a job, its hash, the target. Shares no code with the pool on purpose. */
import { createHash, scryptSync } from 'node:crypto';

export type Algorithm = 'sha256' | 'scrypt';

/** A `mining.notify` as the miner stores it. */
export type Job = {
  id: string;
  prevHash: Buffer;
  coinb1: Buffer;
  coinb2: Buffer;
  branches: Buffer[];
  version: number;
  nbits: number;
  ntime: number;
  /** Difficulty in force when the job was received. */
  difficulty: number;
  target: bigint;
};

const sha256 = (data: Buffer): Buffer => createHash('sha256').update(data).digest();
const doubleSha256 = (data: Buffer): Buffer => sha256(sha256(data));

export const hashHeader: Record<Algorithm, (header: Buffer) => Buffer> = {
  sha256: doubleSha256,
  scrypt: (header) => scryptSync(header, header, 32, { N: 1024, r: 1, p: 1 }),
};

/** Average number of hashes for one share of difficulty 1. */
export const HASHES_PER_DIFFICULTY: Record<Algorithm, number> = { sha256: 2 ** 32, scrypt: 2 ** 16 };

const TARGET_ONE: Record<Algorithm, bigint> = { sha256: 0xffffn << 208n, scrypt: 0xffffn << 224n };
const PRECISION = 10n ** 12n;
const LARGEST = (1n << 256n) - 1n;

/** Largest hash that is a share of `difficulty`. */
export function targetOf(algorithm: Algorithm, difficulty: number): bigint {
  const scaled = BigInt(Math.max(1, Math.round(difficulty * Number(PRECISION))));
  const target = (TARGET_ONE[algorithm] * PRECISION) / scaled;
  return target > LARGEST ? LARGEST : target;
}

/** A hash as a number: its bytes from the last to the first. */
export const hashNumber = (hash: Buffer): bigint => BigInt(`0x${Buffer.from(hash).reverse().toString('hex')}`);

export function jobOf(params: unknown[], algorithm: Algorithm, difficulty: number): Job {
  const [id, prevHash, coinb1, coinb2, branches, version, nbits, ntime] = params as [
    string,
    string,
    string,
    string,
    string[],
    string,
    string,
    string,
  ];
  const words = Buffer.from(prevHash, 'hex');
  for (let at = 0; at < 32; at += 4) words.subarray(at, at + 4).reverse();
  return {
    id,
    prevHash: words,
    difficulty,
    target: targetOf(algorithm, difficulty),
    coinb1: Buffer.from(coinb1, 'hex'),
    coinb2: Buffer.from(coinb2, 'hex'),
    branches: branches.map((b) => Buffer.from(b, 'hex')),
    version: Number(`0x${version}`),
    nbits: Number(`0x${nbits}`),
    ntime: Number(`0x${ntime}`),
  };
}

/** Header of a job with the miner's part of the coinbase; version, time and nonce are set while mining. */
export function headerOf(job: Job, extranonce1: Buffer, extranonce2: Buffer): Buffer {
  let root = doubleSha256(Buffer.concat([job.coinb1, extranonce1, extranonce2, job.coinb2]));
  for (const branch of job.branches) root = doubleSha256(Buffer.concat([root, branch]));
  const header = Buffer.alloc(80);
  job.prevHash.copy(header, 4);
  root.copy(header, 36);
  header.writeUInt32LE(job.ntime, 68);
  header.writeUInt32LE(job.nbits, 72);
  return header;
}

/** The `step`-th way to set the bits of `mask`. */
export function rolledBits(mask: number, step: number): number {
  let bits = 0;
  let rest = step;
  for (let bit = 0; bit < 32; bit += 1) {
    if (!((mask >>> bit) & 1)) continue;
    if (rest & 1) bits = (bits | (1 << bit)) >>> 0;
    rest >>>= 1;
  }
  return bits;
}
