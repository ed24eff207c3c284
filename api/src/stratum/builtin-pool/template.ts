/** Block templates of the built-in pool: valid in every part a miner can check, on a chain that does not exist. */
import { randomBytes } from 'node:crypto';

export type Template = {
  id: string;
  prevHash: string;
  height: number;
  /** Key hash of the output that the block would pay to. */
  keyHash: string;
  branches: string[];
  version: number;
  nbits: string;
  ntime: number;
  clean: boolean;
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

/** Coinbase of `height`, split where the extranonces go. Each `salt` makes one whose hashes count for no other job. */
export function coinbaseParts(height: number, keyHash: string, salt: number): { coinb1: string; coinb2: string } {
  const head = push(le(height, 3)); // BIP 34
  const tag = push(Buffer.from('/pool demo/').toString('hex') + le(salt, 4));
  const nonces = EXTRANONCE1_BYTES + EXTRANONCE2_BYTES;
  const script = head.length / 2 + tag.length / 2 + 1 + nonces;
  const value = Buffer.alloc(8);
  value.writeBigUInt64LE(SUBSIDY_SATS);
  const output = `0014${keyHash}`;
  return {
    coinb1: `01000000${'01'}${'00'.repeat(32)}ffffffff${le(script, 1)}${head}${tag}${le(nonces, 1)}`,
    coinb2: `ffffffff01${value.toString('hex')}${le(output.length / 2, 1)}${output}00000000`,
  };
}

/** `next()` makes a new job; `nextBlock()` starts the next block, whose first job is clean. */
export class TemplateSource {
  private height = FIRST_HEIGHT;
  private prevHash = randomBytes(32).toString('hex');
  private fresh = true;
  private counter = 0;
  private readonly keyHash = randomBytes(20).toString('hex');

  nextBlock(): void {
    this.height += 1;
    this.prevHash = randomBytes(32).toString('hex');
    this.fresh = true;
  }

  next(): Template {
    const clean = this.fresh;
    this.fresh = false;
    const transactions = 3 + Math.floor(Math.random() * 3);
    return {
      id: (++this.counter).toString(16),
      prevHash: this.prevHash,
      height: this.height,
      keyHash: this.keyHash,
      branches: Array.from({ length: transactions }, () => randomBytes(32).toString('hex')),
      version: VERSION,
      nbits: NBITS,
      ntime: Math.floor(Date.now() / 1000),
      clean,
    };
  }
}
