/**
 * The miner's extranonce: one byte of its own, and up to four to roll. The upstream's extranonce1 and the bytes of its
 * extranonce2 that the miner does not roll (the slot) move into coinb1. So a switch of upstream is a clean notify and
 * nothing else, while each upstream leaves more bytes than the miner rolls.
 *
 *   upstream:  coinb1 | extranonce1 | extranonce2 ............ | coinb2
 *   miner:     coinb1 + extranonce1 + slot | own (1) | rolled  | coinb2
 *
 * Where an upstream leaves four bytes or fewer, the miner rolls them all, and its own byte is the last one of the
 * upstream's extranonce1: each miner has an upstream connection of its own.
 */

/** What an upstream leaves to a connection: its own part, hexadecimal, and the bytes of extranonce2. */
export type Extranonce = { extranonce1: string; size: number };

export type Layout = {
  /** The miner's extranonce1, hexadecimal, one byte. */
  extranonce1: string;
  /** Bytes of the miner's extranonce2. */
  extranonce2Size: number;
};

/** The answer to `mining.subscribe`. */
export const subscription = ({ extranonce1, extranonce2Size }: Layout): unknown[] => {
  const subscribed = ['mining.set_difficulty', 'mining.notify'].map((method) => [method, '1']);
  return [subscribed, extranonce1, extranonce2Size];
};

/** Where a miner's extranonce lies in that of its upstream, in hexadecimal. */
export type Place = {
  /** What stands between the upstream's coinb1 and the miner's own byte. */
  head: string;
  /** Leading bytes of the upstream's extranonce2 that the miner does not roll. */
  fixed: string;
};

const ROLLED_BYTES = 4;

/** Before the upstream is known: fits all that leave more than four bytes. */
export const FIRST_LAYOUT: Layout = { extranonce1: '00', extranonce2Size: ROLLED_BYTES };

export const layoutFor = ({ extranonce1, size }: Extranonce): Layout =>
  size > ROLLED_BYTES ? FIRST_LAYOUT : { extranonce1: extranonce1.slice(-2), extranonce2Size: size };

/** Null when it does not fit. The slot counts the jobs, so that each hash belongs to one and no share is repeated. */
export function placeFor(own: Layout, { extranonce1, size }: Extranonce, job = 0): Place | null {
  const spare = size - own.extranonce2Size;
  if (spare === 0) return extranonce1.endsWith(own.extranonce1) ? { head: extranonce1.slice(0, -2), fixed: '' } : null;
  if (spare < 0) return null;
  const digits = 2 * (spare - 1);
  const slot = digits === 0 ? '' : job.toString(16).padStart(digits, '0').slice(-digits);
  return { head: extranonce1 + slot, fixed: slot + own.extranonce1 };
}
