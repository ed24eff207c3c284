/**
 * Many miners on one upstream connection: a slot of each keeps its work apart from that of its neighbours. The miner's
 * extranonce1 is one byte, its extranonce2 what it rolls. The upstream's extranonce1, and the bytes of its extranonce2
 * that the miner does not see, move into coinb1, so that a switch of upstream is a clean notify and nothing else.
 *
 *   upstream:  coinb1 | extranonce1 | extranonce2 .................. | coinb2
 *   miner:     coinb1 + extranonce1 + lane + number | own | rolled   | coinb2
 *
 * Lane and own byte are the slot; the number is that of the job, so that each hash belongs to one. An upstream that
 * leaves fewer bytes has no lane, then no number. Where the miner rolls all that there is, its own byte is the last of
 * the upstream's extranonce1: a connection with one slot.
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

/** `lane`: hexadecimal. `numberBytes`: room for the number of a job. `single`: all of extranonce2 is rolled. */
export type Slot = { lane: string; own: string; numberBytes: number; single: boolean };

/** Where a miner's extranonce lies in that of its upstream, in hexadecimal. */
export type Place = {
  /** What stands between the upstream's coinb1 and the miner's own byte. */
  head: string;
  /** Leading bytes of the upstream's extranonce2 that the miner does not roll. */
  fixed: string;
};

/** Bytes that miners roll where there is room: some refuse less, some firmware mishandles more. */
export const ROLLED_BYTES = 4;
/** A fast miner runs out of work with fewer. */
export const LEAST_ROLLED_BYTES = 3;

const byte = (value: number): string => (value & 0xff).toString(16).padStart(2, '0');

/** Own bytes of miners, one after the other: those that come together can share a connection. */
export class OwnBytes {
  private last = 0;
  next(): string {
    return byte(this.last++);
  }
}

/** Bytes to roll at an upstream that leaves `size`. `needsAll`: the miner takes no fewer than four. */
export const rolledAt = (size: number, needsAll: boolean): number =>
  size > ROLLED_BYTES || (needsAll && size === ROLLED_BYTES) ? ROLLED_BYTES : LEAST_ROLLED_BYTES;

const LANES = 256;

/** A free slot for this layout; null when all are taken. `taken`: keys of slots. */
export function freeSlot(layout: Layout, { extranonce1, size }: Extranonce, taken: ReadonlySet<string>): Slot | null {
  const { extranonce1: own, extranonce2Size } = layout;
  const spare = size - extranonce2Size - 1;
  if (spare < 0) {
    const single = { lane: '', own, numberBytes: 0, single: true };
    return spare === -1 && taken.size === 0 && extranonce1.endsWith(own) ? single : null;
  }
  if (spare < 2) {
    const slot = { lane: '', own, numberBytes: spare, single: false };
    return taken.has(keyOf(slot)) ? null : slot;
  }
  for (let lane = 0; lane < LANES; lane += 1) {
    const slot = { lane: byte(lane), own, numberBytes: spare - 1, single: false };
    if (!taken.has(keyOf(slot))) return slot;
  }
  return null;
}

export const keyOf = ({ lane, own }: Slot): string => lane + own;

export function placeOf({ lane, own, numberBytes, single }: Slot, extranonce1: string, job: number): Place {
  if (single) return { head: extranonce1.slice(0, -2), fixed: '' };
  const number =
    numberBytes === 0
      ? ''
      : job
          .toString(16)
          .padStart(2 * numberBytes, '0')
          .slice(-2 * numberBytes);
  return { head: extranonce1 + lane + number, fixed: lane + number + own };
}
