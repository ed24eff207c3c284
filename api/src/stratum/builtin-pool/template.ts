/** Block templates of the built-in pool: valid in every part a miner can check, on a chain that does not exist. */
import { randomBytes } from 'node:crypto';
import { type JobTemplate, templateOf, type UpstreamJob } from '../upstream/upstream-job';
import { hex32 } from '../wire/protocol';

/** A job of all connections, which each completes with a coinbase of its own. */
export type Template = Omit<UpstreamJob, 'id' | 'coinb1'> & {
  height: number;
  /** `staleAt`: `performance.now()` of the next block. */
  shared: { template: JobTemplate; staleAt: number };
};

const EXTRANONCE1_BYTES = 4;
export const EXTRANONCE2_BYTES = 8;
const VERSION = 0x20000000;
const NBITS = '1702f128';
const SUBSIDY_SATS = 312_500_000n;
const FIRST_HEIGHT = 900_000;

const le = (value: number, bytes: number): string => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer.toString('hex');
};
const push = (hex: string): string => le(hex.length / 2, 1) + hex;

/** Coinbase of `height` up to the extranonces. Each `salt` makes one whose hashes count for no other job. */
export function coinbaseHead(height: number, salt: number): string {
  const number = push(le(height, 3)); // BIP 34
  const tag = push(Buffer.from('/pool demo/').toString('hex') + le(salt, 4));
  const nonces = EXTRANONCE1_BYTES + EXTRANONCE2_BYTES;
  const script = number.length / 2 + tag.length / 2 + 1 + nonces;
  return `01000000${'01'}${'00'.repeat(32)}ffffffff${le(script, 1)}${number}${tag}${le(nonces, 1)}`;
}

/** The rest of it, which pays to a hash of a key. */
export function coinbaseTail(keyHash: string): string {
  const value = Buffer.alloc(8);
  value.writeBigUInt64LE(SUBSIDY_SATS);
  return `ffffffff01${value.toString('hex')}${push(`0014${keyHash}`)}00000000`;
}

/** `next()` makes a new job; `nextBlock()` starts the next block, whose first job is clean. */
export class TemplateSource {
  private height = FIRST_HEIGHT;
  private prevHash = randomBytes(32).toString('hex');
  /** Jobs of the present block. */
  private jobs: Template[] = [];
  private readonly coinb2 = coinbaseTail(randomBytes(20).toString('hex'));

  nextBlock(): void {
    this.height += 1;
    this.prevHash = randomBytes(32).toString('hex');
    for (const { shared } of this.jobs) shared.staleAt = performance.now();
    this.jobs = [];
  }

  next(): Template {
    const { prevHash, coinb2, height, jobs } = this;
    const transactions = 3 + Math.floor(Math.random() * 3);
    const branches = Array.from({ length: transactions }, () => randomBytes(32).toString('hex'));
    const made = {
      prevHash,
      height,
      coinb2,
      branches,
      version: hex32(VERSION),
      nbits: NBITS,
      ntime: hex32(Math.floor(Date.now() / 1000)),
      clean: jobs.length === 0,
      shared: { template: templateOf({ prevHash, coinb2, branches, nbits: NBITS }), staleAt: Infinity },
    };
    jobs.push(made);
    return made;
  }
}
